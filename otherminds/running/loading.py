"""Loading a model that reads prompts, with its journal and a guard of its window."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from otherminds import console, control_tokens, credentials, harness, progress
from otherminds.errors import kept
from otherminds.running import (
    asking,
    journal_mending,
    merged_options,
    one_token,
    reasoning,
    results,
)
from otherminds.running import servers as serving
from otherminds.running.first_replies import FirstReplies
from otherminds.running.journal import Journal
from otherminds.running.journaled_lm import JournaledLM
from otherminds.running.merged_options import MergedOptions
from otherminds.running.models import Loaded, Options
from otherminds.running.one_token import OneToken
from otherminds.running.usage import Usage
from otherminds.running.window import Window

_OF_A_RUN = ("journal.sqlite*", "stages_*", "runs_*", "results_*", "samples_*", "identity_*")
"""Patterns for the names of files that runs write."""


@contextmanager
def loaded(
    arguments: harness.RunArguments, manager: Any, options: Options, stages: progress.Stages
) -> Iterator[Loaded]:
    """Load the model that `arguments` name, with its journal open until the block ends."""
    called = results.model_name(arguments.model, arguments.model_args)
    with progress.loading(called):
        model = harness.make_model(arguments)
    template = decide_chat_template(model, arguments, options)
    tokens = control_tokens_of(model, template)
    thinks = reasoning_of(model, template, arguments, options)
    first = _first_replies(model, thinks)
    usage = Usage()
    if serving.is_behind(model):
        usage.watch(model)
    window = Window(allow_truncation=options.allow_truncation)
    path = Path(arguments.output_path) / "journal.sqlite"
    if options.mend_journal and (mended := journal_mending.mend(path)) is not None:
        console.note(
            f"The journal {path} keeps {mended.kept:,} sound answers; {mended.changed:,} had changed on "
            f"disk. As it was: {mended.damaged}"
        )
    with (
        Journal(path) as journal,
        kept(lambda: _interrupted(journal, fresh=options.fresh)),
        control_tokens.of_model(tokens.tokens),
    ):
        asked = asking.of(model, arguments.model_args, _say)
        options_of = _options(model, arguments.model)
        asker = JournaledLM(
            model,
            journal,
            identity=identity_of(arguments, credentials.identity(arguments.model_args)),
            earlier=identity_of(arguments, arguments.model_args),
            versions=harness.task_versions(manager),
            window=window,
            reuse=not options.fresh,
            called=called,
            begin=stages.begin,
            advance=stages,
            options=options_of,
            asking=asked,
            ask_refused=options.ask_refused,
            watch=first.saw if first is not None else None,
            reasoning=thinks,
            first=first,
        )

        def record() -> dict[str, Any]:
            return {
                "weightless": False,
                "reads_gold": False,
                "chat_template_applied": bool(arguments.apply_chat_template),
                "chat_template": template,
                "window": window.report,
                "control_tokens": {"of_tokenizer": len(tokens.tokens), "not_escaped": tokens.left},
                "journal": {
                    "path": str(path),
                    "asked": asker.asked,
                    "reused": asker.reused,
                    "without_digest": journal.without_digest,
                    "empty": asker.empty,
                    "refused": dict(asker.refused),
                },
                **({"usage": usage.report(options.price)} if serving.is_behind(model) else {}),
                **(
                    {}
                    if asked is None
                    else {"server": asked.report() | {"decoding": asker.decoding}}
                ),
                **({} if options_of is None else {"options": options_of.report()}),
                **({"reasoning": facts} if (facts := thinks.record()) else {}),
            }

        def model_in(tasks: Sequence[Any], run: int) -> harness.LM:
            return asker.in_run(run)

        yield Loaded(model_in, manager, arguments, record, stages, options.runs)


def _options(model: harness.LM, name: str) -> OneToken | MergedOptions | None:
    """How log-likelihoods of options are asked; None for lm-eval's own way, uncounted."""
    return one_token.of(model) if name == "vllm" else merged_options.of(model)


def _say(line: str) -> None:
    progress.CONSOLE.print(line, highlight=False, markup=False, soft_wrap=True)


def control_tokens_of(model: harness.LM, template: str | None) -> control_tokens.Tokens:
    """Those of the model's own tokenizer; of a server's, those of the tokenizer that is given for it."""
    # Not what is a property: a model that reads nothing would load a tokenizer for it.
    tokenizer = vars(model).get("tokenizer")
    if tokenizer is None:
        return control_tokens.Tokens()
    own = template or getattr(tokenizer, "chat_template", None)
    return control_tokens.of_tokenizer(tokenizer, own if isinstance(own, str) else str(own or ""))


def _interrupted(journal: Journal, *, fresh: bool) -> str:
    if not len(journal):
        return "No answer had come yet: the same command begins anew."
    again = "the same command, without --fresh," if fresh else "the same command"
    return (
        f"The journal {journal.path} keeps every answer so far ({len(journal):,}, with those of other "
        f"runs into this folder): {again} goes on from there and asks none of them again."
    )


def decide_chat_template(
    model: harness.LM, arguments: harness.RunArguments, options: Options
) -> str | None:
    """Set whether `arguments` apply a chat template, and return its text."""
    if not options.chat_template:
        arguments.apply_chat_template = False
    elif not arguments.apply_chat_template:
        arguments.apply_chat_template = harness.has_chat_template(arguments.model, model)
    if not arguments.apply_chat_template:
        return None
    if arguments.fewshot_as_multiturn is None:
        arguments.fewshot_as_multiturn = True
    return harness.chat_template(model, arguments.apply_chat_template)


def reasoning_of(
    model: harness.LM, template: str | None, arguments: harness.RunArguments, options: Options
) -> reasoning.Reasoning:
    """The thoughts of a model, for which its marks are kept and its template is switched."""
    reasoning.keep_marks(model)
    wanted, given = options.reasoning, dict(arguments.gen_kwargs or {})
    switches = {} if wanted is None else reasoning.switched(arguments, model, template, wanted)
    if wanted and "until" in given:
        # lm-eval would put them over the tasks' own, and end thoughts by them.
        left = {name: value for name, value in given.items() if name != "until"}
        arguments.gen_kwargs = left or None
    return reasoning.Reasoning(
        model,
        wanted,
        templated=bool(arguments.apply_chat_template),
        switches=switches,
        given=given,
    )


def _first_replies(model: harness.LM, thinks: reasoning.Reasoning) -> FirstReplies | None:
    """Who may stop the run; where a user gives room for thoughts, it only says that it is too little.

    Of several processes, the others would wait for the one that stops.
    """
    if thinks.wanted is False or model.world_size > 1:
        return None
    say = console.note if thinks.wanted else None
    return FirstReplies(thinks.is_alone, within=not serving.is_behind(model), say=say)


def identity_of(arguments: harness.RunArguments, model_args: Mapping[str, Any]) -> str:
    """The facts that distinguish the answers of one model from those of another, for the journal."""
    settings = {
        key: value for key, value in model_args.items() if key not in serving.OF_THE_CONNECTION
    }
    # Weights, and adapters on them.
    folders = {
        key: _fingerprint(Path(value).expanduser())
        for key, value in settings.items()
        if isinstance(value, str)
    }
    return json.dumps(
        {
            "model": arguments.model,
            "model_args": {key: str(value) for key, value in settings.items()},
            "weights": {key: found for key, found in folders.items() if found is not None},
            "seed": arguments.seed,
        },
        sort_keys=True,
    )


def _fingerprint(folder: Path) -> str | None:
    """Names, sizes and times of a local model's files: a model trained further is another model.

    Files that a run writes do not count, where its --output_path is the model's own folder.
    """
    if not folder.is_dir():
        return None
    facts = [
        (path.name, path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.iterdir())
        if path.is_file() and not any(fnmatch(path.name, own) for own in _OF_A_RUN)
    ]
    return hashlib.sha256(repr(facts).encode()).hexdigest()
