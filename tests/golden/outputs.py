"""What commands print: lists, every `--help`, one task of each benchmark, and some errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from otherminds.benchmark import Panel
from tests.golden import pinned

HELP, PRINTED = "help.txt", "printed.txt"

_PANELS = "|".join(("Commands", *(panel.value for panel in Panel)))
_COMMANDS = re.compile(rf"^╭─ (?:{_PANELS}) ─+╮$(.*?)^╰", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"^│ (\S+) ", re.MULTILINE)
_OF_LM_EVAL = re.compile(r"^lm-eval's models: .*", re.MULTILINE | re.DOTALL)

_SHOWN = (
    ("list",),
    ("list", "trust_game"),
    ("list", "--datasets"),
    ("list", "--models"),
    ("show", "hugagent_synthetic"),
    ("show", "hugagent_bsi_logprob", "--item", "3"),
    ("show", "debate_both_synthetic"),
    ("show", "trust_game_population", "--item", "40"),
    ("show", "debate_synthetic"),
    ("show", "synchtom_judge"),
    ("show", "socialmindchange_codes_lite_logprob"),
    ("show", "hugagent_nonesuch"),
    ("show", "hugagent_synthetic", "--item", "100000"),
    ("run", "hugagent_synthetic", "--nonesuch", "1"),
    ("build", "trust-game-synthetic"),
    ("unlinked",),
    ("score",),
    ("compare", "otherminds-results", "--jsn"),
    ("run", "hugagent_synthetic", "--limit", "many"),
    ("leaderboard", "bild"),
)


def helps() -> str:
    """`--help` of the program, of its groups, and of each command."""
    return "\n".join(said.text() for said in _helps())


def _helps(*group: str) -> Iterator[pinned.Said]:
    said = pinned.command(*group, "--help")
    yield said
    for listed in _COMMANDS.findall(pinned.plain(said.out)):
        for name in _NAME.findall(listed):
            yield from _helps(*group, name)


def printed() -> str:
    """What lists, `show` and bad input print; without the models that lm-eval has, which are its own."""
    said = (pinned.command(*words, code=None).text() for words in _SHOWN)
    return "\n".join(_OF_LM_EVAL.sub("lm-eval's models: …\n", text) for text in said)
