"""Thoughts in a model's reply: the marks in which the families of reasoning models put them.

A model that reasons writes its thoughts and its answer into one text, with marks between them. Servers
and templates leave any part of these behind: both marks, the closing one alone (the opening one ended
the prompt), the opening one alone (the reply was cut off), or words without the special tokens around
them. What is in a thought is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple


@dataclass(frozen=True)
class Marks:
    """The marks of a family of models.

    models  whose they are
    begin   what opens a thought, as these models write it
    end     what closes it
    source  where that is documented
    tags    alternatives for the name of both tags, in capital or small letters
    begins  a regular expression for all forms of `begin`; by default, it alone, or those tags
    ends    the same for `end`
    first   what opens a thought at the very beginning of a reply alone, and a group `answer` for what
            opens an answer there
    paired  whether one of them alone is no mark: words that others write too
    """

    models: str
    begin: str
    end: str
    source: str
    tags: str = ""
    begins: str = ""
    ends: str = ""
    first: str = ""
    paired: bool = False

    @property
    def opening(self) -> str:
        """The regular expression of what opens a thought."""
        if self.tags:
            return f"(?i:<(?:{self.tags})>)"
        return self.begins or re.escape(self.begin)

    @property
    def closing(self) -> str:
        """The regular expression of what closes a thought."""
        if self.tags:
            return f"(?i:</(?:{self.tags})>)"
        return self.ends or re.escape(self.end)


# A harmony message begins with its channel; a recipient and a constraint may stand before its text.
_CHANNEL = r"(?:<\|start\|>\s*assistant\s*)?<\|channel\|>\s*"
_HEADER = r"(?:[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>)?"
# What is left of it where a decoder dropped the special tokens: "analysisThe user …assistantfinalB".
_WORD_BEGINS = r"(?=[\w\"'“‘(\[{*])"

FAMILIES = (
    Marks(
        models="DeepSeek-R1, Qwen3, QwQ, GLM-4.5, Kimi K2 Thinking, MiniMax-M1 and M2, Phi-4-reasoning, "
        "Nemotron, EXAONE 4.0, Hunyuan, Granite 3.3, OLMo 3, ERNIE 4.5, Step 3, SmolLM3 and others",
        begin="<think>",
        end="</think>",
        source="vLLM, Reasoning Outputs (docs.vllm.ai/en/stable/features/reasoning_outputs) and the "
        "parsers in vllm/reasoning; the model cards deepseek-ai/DeepSeek-R1 and Qwen/Qwen3-8B",
        tags="think|thinking",
    ),
    Marks(
        models="Magistral and later reasoning models of Mistral",
        begin="[THINK]",
        end="[/THINK]",
        source="model card mistralai/Magistral-Small-2507; vllm/reasoning/mistral_reasoning_parser.py",
    ),
    Marks(
        models="gpt-oss (harmony): the channels analysis and commentary, and final for the answer",
        begin="<|channel|>analysis<|message|>",
        end="<|channel|>final<|message|>",
        source="openai/harmony, docs/format.md; without its special tokens: "
        "github.com/llama-farm/llamafarm/issues/753",
        begins=rf"{_CHANNEL}(?:analysis|commentary)\b{_HEADER}"
        rf"|assistant(?:analysis|commentary){_WORD_BEGINS}",
        ends=rf"{_CHANNEL}final\b{_HEADER}|assistantfinal",
        first=rf"(?:analysis|commentary){_WORD_BEGINS}|(?P<answer>final)(?=[A-Z0-9({{\[*\"])",
    ),
    Marks(
        models="Kimi-VL-Thinking, Kimi-Dev",
        begin="◁think▷",
        end="◁/think▷",
        source="model card moonshotai/Kimi-VL-A3B-Thinking-2506",
    ),
    Marks(
        models="Cohere Command A Reasoning, Command R7B",
        begin="<|START_THINKING|>",
        end="<|END_THINKING|>",
        source="vllm/reasoning/cohere_command_reasoning_parser.py; tokenizer of "
        "CohereLabs/command-a-reasoning-08-2025",
    ),
    Marks(
        models="Seed-OSS",
        begin="<seed:think>",
        end="</seed:think>",
        source="vllm/reasoning/seedoss_reasoning_parser.py; tokenizer of "
        "ByteDance-Seed/Seed-OSS-36B-Instruct",
        tags="seed:think",
    ),
    Marks(
        models="Gemma 4",
        begin="<|channel>thought\n",
        end="<channel|>",
        source="vllm/reasoning/gemma4_utils.py; chat template of google/gemma-4-26B-A4B-it",
        # Without its special tokens, nothing tells where the thought ends.
        begins=r"<\|channel>(?:\s*thought\b)?",
        first=r"thought\n",
    ),
    Marks(
        models="Granite 3.2",
        begin="Here is my thought process:",
        end="Here is my response:",
        source="vllm/reasoning/granite_reasoning_parser.py; chat template of "
        "ibm-granite/granite-3.2-8b-instruct",
        begins=r"(?m:(?<=^)|(?<=[*#] )|(?<=[*#]))Here(?:'s| is) my thought process:",
        ends=r"Here(?:'s| is) my response:",
        paired=True,
    ),
    Marks(
        models="EXAONE Deep, Marco-o1",
        begin="<thought>",
        end="</thought>",
        source="model cards LGAI-EXAONE/EXAONE-Deep-7.8B and AIDC-AI/Marco-o1",
        tags="thought",
    ),
    Marks(
        models="MiniMax-M3",
        begin="<mm:think>",
        end="</mm:think>",
        source="vLLM, minimax_m3_reasoning_parser.py; tokenizer of MiniMaxAI/MiniMax-M3",
        tags="mm:think",
    ),
    Marks(
        models="LongCat",
        begin="<longcat_think>",
        end="</longcat_think>",
        source="vllm/reasoning/longcat_reasoning_parser.py",
        tags="longcat_think",
    ),
    Marks(
        models="Apertus",
        begin="<|inner_prefix|>",
        end="<|inner_suffix|>",
        source="vllm/reasoning/apertus_reasoning_parser.py",
    ),
    Marks(
        models="openPangu",
        begin="[unused16]",
        end="[unused17]",
        source="vllm/reasoning/pangu_reasoning_parser.py",
    ),
    Marks(
        models="OpenThinker, Sky-T1",
        begin="<|begin_of_thought|>",
        end="<|end_of_thought|>",
        source="dataset card open-thoughts/OpenThoughts-114k (system prompt)",
    ),
    Marks(
        models="models tuned with the usual prompt for GRPO",
        begin="<reasoning>",
        end="</reasoning>",
        source="gist.github.com/willccbb/4676755236bb08cab5f4e54a0475d6fb (system prompt)",
        tags="reasoning",
    ),
)
"""The families whose marks are read."""

# Every mark begins with one of these: most texts have none, and are read fast.
_MARK = re.compile(
    r"(?=[<\[◁]|assistant|Here)(?:"
    + "|".join(
        f"(?P<begin{number}>{one.opening})|(?P<end{number}>{one.closing})"
        for number, one in enumerate(FAMILIES)
    )
    + ")"
)
_FIRST = [
    (number, re.compile(rf"\s*(?:{one.first})")) for number, one in enumerate(FAMILIES) if one.first
]
_TOKEN = re.compile(r"<[^<>\n]+>|\[[^\[\]\n]+\]|◁[^◁▷\n]+▷")
TOKENS = tuple(frozenset(_TOKEN.findall(one.begin + one.end)) for one in FAMILIES if not one.paired)
"""The tokens that the marks of each family are made of."""

_AT_END = re.compile(rf"(?:{'|'.join(one.opening for one in FAMILIES if not one.paired)})\s*\Z")
# A prompt's own end: the longest mark, with line breaks behind it.
_LONGEST = 200

_QUOTES = "\"'`“”‘’«»‹›„()"
# A text about marks names them: "the <think> tags in the note".
_NAMED = re.compile(r"[\"'`”’»›]? (?:tags?|tokens?|marks?|markers?|blocks?|symbols?|elements?)\b")
_OPENING_QUOTES = "\"'`“‘«„"
# So much of a line is looked at for what stands before a mark.
_BEFORE = 60

_DEFUSED = str.maketrans({"<": "‹", ">": "›", "[": "‹", "]": "›", "◁": "‹", "▷": "›"})


class _Mark(NamedTuple):
    """A mark in a text: the place of its family in FAMILIES, its kind, and where it stands."""

    family: int
    kind: Literal["begin", "end"]
    start: int
    end: int


def without_reasoning(text: str) -> str | None:
    """`text` without its thoughts, each in the marks of one of FAMILIES; None when one never ends.

    A closing mark without an opening one ends a thought that began in the prompt: only what follows
    counts. A thought that is never closed was cut off, and there is no answer. Marks that are mentioned,
    in quotation marks or as "<think> tags", are text. Time is linear in the length of `text`.
    """
    spans = _visible(text)
    return None if spans is None else "\n".join(text[start:end] for start, end in spans)


def is_unclosed(text: str) -> bool:
    """Whether `text` ends within a thought."""
    return bool(text) and _visible(text) is None


def has_thought(text: str) -> bool:
    """Whether `text` holds a thought, or a part of one."""
    return _visible(text) != [(0, len(text))]


def begun_before(text: str) -> str | None:
    """The opening mark that `text` lacks: it closes a thought which began in the prompt; else None."""
    for mark in _marks(text):
        family = FAMILIES[mark.family]
        if mark.kind == "begin" and not family.paired:
            return None
        if (
            mark.kind == "end"
            and not family.paired
            and not _is_mentioned(text, mark, is_closed=False)
        ):
            return family.begin if text[: mark.start].strip() else None
    return None


def opened_in(prompt: str) -> str | None:
    """The mark with which a prompt ends, so that its reply begins within a thought; None for others."""
    found = _AT_END.search(prompt[-_LONGEST:])
    return found[0] if found else None


def cut(text: str, stops: Sequence[str]) -> str:
    """`text` up to the first of some stop sequences behind its last thought.

    Within a thought a stop sequence is text: "\\n\\n" would end most of them. A text that ends within a
    thought is left as it is.
    """
    spans = _visible(text)
    if spans is None:
        return text
    begin, _ = spans[-1]
    if begin:
        # The line breaks behind a thought do not end the answer.
        begin = len(text) - len(text[begin:].lstrip())
    found = [place for stop in stops if stop and (place := text.find(stop, begin)) >= 0]
    return text[: min(found)] if found else text


def shown(text: str) -> str:
    """`text` with other brackets round its marks, ‹think›, so that a reader can quote it."""

    def defused(mark: re.Match[str]) -> str:
        changed = mark[0].translate(_DEFUSED)
        return mark[0].replace("assistant", "assistant ") if changed == mark[0] else changed

    return _MARK.sub(defused, text)


def _visible(text: str) -> list[tuple[int, int]] | None:
    """Where the parts of `text` lie that are in no thought; None when one never ends."""
    marks = _marks(text)
    last = {mark.family: mark.start for mark in marks if mark.kind == "end"}
    spans: list[tuple[int, int]] = []
    start, thinking = 0, None
    for mark in marks:
        family = FAMILIES[mark.family]
        if thinking is not None:
            if (mark.kind, mark.family) == ("end", thinking):
                start, thinking = mark.end, None
            continue
        is_closed = mark.kind == "begin" and last.get(mark.family, -1) > mark.start
        if (family.paired and not is_closed) or _is_mentioned(text, mark, is_closed=is_closed):
            continue
        if mark.kind == "end":
            spans.clear()
            start = mark.end
        elif is_closed:
            spans.append((start, mark.start))
            thinking = mark.family
        else:
            return None
    return [*spans, (start, len(text))]


def _marks(text: str) -> list[_Mark]:
    found: list[_Mark] = []
    for number, first in _FIRST:
        if opening := first.match(text):
            kind: Literal["begin", "end"] = "end" if opening.lastgroup else "begin"
            found.append(_Mark(number, kind, opening.start(), opening.end()))
    for mark in _MARK.finditer(text):
        name = str(mark.lastgroup)
        kind = "begin" if name.startswith("begin") else "end"
        found.append(_Mark(int(name.removeprefix(kind)), kind, mark.start(), mark.end()))
    return found


def _is_mentioned(text: str, mark: _Mark, *, is_closed: bool) -> bool:
    """Whether a mark is quoted or named in a line of text, rather than used.

    is_closed  whether a thought that it opens is closed
    """
    line = text[max(mark.start - _BEFORE, 0) : mark.start].rpartition("\n")[2]
    after = text[mark.end : mark.end + 1]
    if line and line[-1] in _QUOTES and after and after in _QUOTES:
        return True
    if not line.strip():
        return False
    if _NAMED.match(text, mark.end):
        return True
    # A quotation begins within the line: "She wrote '<think> …".
    is_quoting = line[-1] in _OPENING_QUOTES and line[-2:-1] in (" ", "(", ":")
    return is_quoting and not is_closed and bool(line[:-2].strip())
