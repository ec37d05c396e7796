"""Authors and validators of users with a wrong belief that follow a script: good, sloppy, cheating.

`good` writes any unit: two in sentences that somebody thought of, the others in words that are drawn for
each unit, so that no two are alike. The cheats change what the good one writes in one place each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from otherminds.construct import Unit
from otherminds.dataset_builders.synchtom.raw import example
from otherminds.dataset_builders.synchtom.wording import stems, words
from otherminds.dataset_builders.synchtom.written import CRITERIA, QUESTIONS, numbered

Reply = dict[str, Any]
Author = Callable[[Unit, str], Reply]

FILM: Final[Mapping[str, Reply]] = example()
"""The example of the pipeline."""

ICONS: Final[Mapping[str, Reply]] = {
    "scenario": {
        "observation": (
            "Since Tuesday the build server stops with “cannot find module ./icons/Arrow”. The same commit "
            "builds on all four Macs of the team, even from a fresh checkout."
        ),
        "user_latent_belief": "The server's package cache has gone stale again and hands out an old icon set.",
        "explicit_instruction": "Write a script that wipes the package cache hourly.",
        "misconception_type": "availability of the last culprit",
        "root_cause": {
            "because": "He set up the package cache in a hurry and has cleared it by hand ever since.",
            "ignored": "The module that is missing is one of the team's own files and no package.",
            "concluded": "He takes a stale package cache for what is missing the icon.",
        },
    },
    "trajectory": {
        "turns": [
            {
                "action": "Sander logs on to the server and clears the package cache by hand.",
                "observation": "The next build downloads every package anew and stops at the same line.",
            },
            {
                "action": "He deletes the lock file too, so that nothing old can be handed out.",
                "observation": "A build with fresh versions of everything again misses ./icons/Arrow.",
            },
            {
                "action": "He asks the hosting company whether a proxy keeps copies of packages on the way.",
                "observation": "Support answers that no proxy stands in between, and asks about the server's disk.",
            },
            {
                "action": "He moves the cache folder to a new volume and starts over with it empty.",
                "observation": "The log lists nine hundred packages as new and then the well-known error.",
            },
            {
                "action": "He adds the date to the cache key, so that each day begins with none.",
                "observation": "Wednesday's first build fails at the import in the toolbar, as Tuesday's did.",
            },
            {
                "action": "He switches package managers on the server, for one that caches less.",
                "observation": "The other tool reports the missing module under its full name, ./icons/Arrow.",
            },
            {
                "action": "He rents a second server that has never held a cache and points a build at it.",
                "observation": "The brand-new Linux machine fails; a colleague's Mac builds during the call.",
            },
            {
                "action": "He tells the team to publish the icons as a package, past any cached copy.",
                "observation": "The colleague who starts on it lists the folder and sees arrow.svg.ts there.",
            },
            {
                "action": "He schedules the wipe of all caches every hour and mails the team about it.",
                "observation": "Builds now take eleven minutes longer and break at the toolbar as before.",
            },
            {
                "action": "He opens a ticket for a server without any package cache, at double the price.",
                "observation": "The vendor asks for a listing of the folder that the failing import reads.",
            },
        ]
    },
    "rubrics": {
        "latent_belief_explanation": [
            {
                "kind": "belief",
                "criterion": "Says that the user holds a stale package cache responsible.",
            },
            {
                "kind": "reason",
                "criterion": "Explains the suspicion by how often the user has cleared the package cache.",
            },
        ],
        "user_profile_modeling": [
            {
                "kind": "trait",
                "criterion": "Describes the user as a front-end developer whose team works on Macs.",
            },
            {
                "kind": "link",
                "criterion": "Links the hurried set-up of the cache last year to where the user looks first.",
            },
        ],
        "correct_resolution": [
            {
                "kind": "refutes",
                "criterion": "Rejects the package cache of the server as the cause of the failing import.",
            },
            {
                "kind": "cause",
                "criterion": "Says that the server's disk tells upper and lower case apart in names of files.",
            },
            {
                "kind": "remedy",
                "criterion": "Recommends renaming the file to the spelling that the import uses.",
            },
        ],
    },
}
"""A unit of `software-icons` as a person might write it."""

THOUGHT_OF: Final = {"preference-film-1": FILM, "software-icons-1": ICONS}
