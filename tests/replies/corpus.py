"""Replies of language models with the answers that a person reads in them.

A verdict is written before any parser has seen the reply; README.md in this folder has the rules. The
files in `held` are for measuring alone: who mends a parser opens those in `open`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    StrictStr,
    StringConstraints,
    model_validator,
)

FOLDER = Path(__file__).parent
SEED = "replies-2026"
LETTERS = "abcdefghijklmnop"
SYNCHTOM_FIELDS = ("latent_belief_explanation", "user_profile_modeling", "correct_resolution")

Text = Annotated[str, StringConstraints(min_length=1)]
Effect: TypeAlias = Literal["small", "medium", "large"]
Answer: TypeAlias = StrictStr | StrictInt | StrictFloat | dict[str, Any] | None


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Letters(_Strict):
    """A choice between lettered options; answered by the letter in the prompt's case."""

    question: Text
    options: list[Text] = Field(min_length=2, max_length=16)


class Scale(_Strict):
    """A whole number on a scale; the answer is an int."""

    question: Text
    scale: tuple[int, int]
    labels: tuple[Text, Text]


class Proposition(_Strict):
    """The answer is "agree" or "disagree"; `wants` says in which words the prompt asks for it."""

    proposition: Text
    wants: Literal["one word", "True or False", "agree or disagree"]


class Title(_Strict):
    """Can a title be agreed with? The answer is "yes" or "no"."""

    title: Text


class Amount(_Strict):
    """Dollars that the first player gives; the answer is a number from 0 to the endowment."""

    kind: Literal["role_play", "conditioned", "round", "forecast"]
    endowment: int = Field(gt=0)
    fractions: bool = False


class Ranking(_Strict):
    """Levels in the order that the prompt asks for; the answer is {"ranking": […], effect sizes}."""

    attribute: Text
    levels: list[Text] = Field(min_length=2)
    order: Literal["descending", "ascending"] = "descending"

    @property
    def effects(self) -> tuple[str, ...]:
        if self.order == "ascending":
            return ("effect_size",)
        return ("omnibus_effect_size", "contrast_effect_size")


class Dollars(_Strict):
    """Mean and SD for each level; the answer is {level: [mean, sd]}."""

    attribute: Text
    levels: list[Text] = Field(min_length=2)
    endowment: int = Field(gt=0)


class Explanation(_Strict):
    """Three texts on a user; the answer is {field: text or null}."""

    instruction: Text


class Judgement(_Strict):
    """A verdict on each criterion; the answer is {dimension: [0 or 1, …]}."""

    marker: Text
    rules: Literal["strict", "analysis"]
    criteria: dict[str, int]


Ask: TypeAlias = (
    Letters | Scale | Proposition | Title | Amount | Ranking | Dollars | Explanation | Judgement
)

FORMS: dict[str, type[_Strict]] = {
    "hugagent_letter": Letters,
    "hugagent_letter_cot": Letters,
    "hugagent_number": Scale,
    "hugagent_number_cot": Scale,
    "debate_direct": Proposition,
    "debate_cot": Proposition,
    "debate_title": Title,
    "socialmindchange_letter": Letters,
    "socialmindchange_letter_cot": Letters,
    "trust_game_amount": Amount,
    "trust_game_ranking": Ranking,
    "trust_game_dollars": Dollars,
    "synchtom_answer": Explanation,
    "synchtom_judge": Judgement,
}


class Reply(_Strict):
    """One reply.

    answer    what it says, in the canonical form of what was asked; None where it says none
    arguable  why another reader may see it otherwise; absent where nobody would
    source    the model that wrote it, or "written"
    writer    number of the person who wrote the verdict
    readers   numbers of those who read the reply without it
    tags      manner of the reply: "markdown", "hedge", "negation", "thinking", …
    """

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)+$")]
    form: Text
    ask: dict[str, Any]
    reply: str
    answer: Answer
    arguable: Text | None = None
    source: Text
    writer: int = Field(ge=1)
    readers: list[int] = []
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")] = "en"
    tags: list[Text] = []

    @model_validator(mode="after")
    def _answers_what_was_asked(self) -> Reply:
        if self.form not in FORMS:
            raise ValueError(f"{self.id}: no form {self.form!r}; known are {', '.join(FORMS)}")
        if self.answer is not None and (fault := _fault(self.asked, self.answer, self.form)):
            raise ValueError(f"{self.id}: {fault}")
        if self.writer in self.readers:
            raise ValueError(f"{self.id}: the writer of a verdict is no reader of it")
        return self

    @property
    def asked(self) -> Ask:
        asked = FORMS[self.form].model_validate(self.ask)
        assert isinstance(asked, Ask)
        return asked

    @property
    def benchmark(self) -> str:
        return next(name for name in BENCHMARKS if self.form.startswith(f"{name}_"))


BENCHMARKS = ("hugagent", "debate", "socialmindchange", "trust_game", "synchtom")


def classes(form: str, ask: Ask) -> tuple[Answer, ...]:
    """The answers of which each should be as frequent as any other; none where answers are objects."""
    match ask:
        case Letters():
            shown = LETTERS if form.startswith("socialmindchange") else LETTERS.upper()
            return tuple(shown[: len(ask.options)])
        case Scale():
            return tuple(range(ask.scale[0], ask.scale[1] + 1))
        case Proposition():
            return ("agree", "disagree")
        case Title():
            return ("yes", "no")
    return ()


def _fault(ask: Ask, answer: Answer, form: str) -> str | None:
    """Why this cannot be an answer to what was asked."""
    if known := classes(form, ask):
        fits = any(answer == one and type(answer) is type(one) for one in known)
        return None if fits else f"answer {answer!r} is none of {known}"
    if isinstance(ask, Amount):
        number = isinstance(answer, int if not ask.fractions else int | float)
        if not number or isinstance(answer, bool) or not 0 <= float(str(answer)) <= ask.endowment:
            return f"answer {answer!r} is no amount from 0 to {ask.endowment}"
        return None
    if not isinstance(answer, dict):
        return f"answer {answer!r} is not an object"
    return _object_fault(ask, answer)


def _object_fault(ask: Ask, answer: dict[str, Any]) -> str | None:
    match ask:
        case Ranking():
            if answer.keys() != {"ranking", *ask.effects}:
                return f"answer has {sorted(answer)}, not ranking and {ask.effects}"
            ranking = answer["ranking"]
            if ranking is not None and sorted(ranking) != sorted(ask.levels):
                return "ranking does not name each level once"
            if any(answer[one] not in ("small", "medium", "large", None) for one in ask.effects):
                return "an effect size is none of small, medium, large, null"
        case Dollars():
            if answer.keys() != set(ask.levels):
                return "answer does not name each level"
            if any(not _mean_and_sd(one, ask.endowment) for one in answer.values()):
                return f"a mean is outside 0 to {ask.endowment}, or an SD below 0"
        case Explanation():
            if answer.keys() != set(SYNCHTOM_FIELDS) or not any(answer.values()):
                return f"answer does not have {SYNCHTOM_FIELDS} with a text in one of them"
        case Judgement():
            told = {name: len(verdicts) for name, verdicts in answer.items()}
            if told != ask.criteria:
                return f"verdicts {told}, criteria {ask.criteria}"
            if any(one not in (0, 1) for verdicts in answer.values() for one in verdicts):
                return "a verdict is neither 0 nor 1"
    return None


def _mean_and_sd(pair: Any, endowment: int) -> bool:
    return len(pair) == 2 and 0 <= pair[0] <= endowment and (pair[1] is None or pair[1] >= 0)


def held_out(name: str) -> bool:
    """Whether the reply of this id is kept from those who mend parsers: half of all ids."""
    return hashlib.sha256(f"{SEED}:{name}".encode()).digest()[0] % 2 == 1


def load(half: Literal["open", "held"], folder: Path = FOLDER) -> list[Reply]:
    """All replies of one half, checked.

    Raises ValueError with file and line of what does not fit, but not with its text.
    """
    return list(_replies(half, folder))


def _replies(half: str, folder: Path) -> Iterator[Reply]:
    for path in sorted((folder / half).glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{half}/{path.name}, line {number}"
            try:
                reply = Reply.model_validate(json.loads(line))
            except ValueError as error:
                # The message of pydantic quotes its input, which nobody may see of the held half.
                raise ValueError(f"{where}: {_without_input(error)}") from None
            if reply.form != path.stem:
                raise ValueError(f"{where}: {reply.id} has form {reply.form}")
            if held_out(reply.id) != (half == "held"):
                raise ValueError(f"{where}: {reply.id} belongs to the other half")
            yield reply


def _without_input(error: ValueError) -> str:
    if hasattr(error, "errors"):
        return "; ".join(
            f"{'.'.join(map(str, one['loc']))}: {one['type']}" for one in error.errors()
        )
    return type(error).__name__


_WORD = re.compile(r"[぀-ヿ一-鿿가-힯]|\d+(?:\.\d+)?|[^\W\d_]+")

_KEY = re.compile(r'"\w+"\s*:')
"""The keys of JSON are the prompt's words."""
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
"""In an object of levels and numbers there are no words of the reply's own."""


def words(text: str) -> list[str]:
    """Words in lower case, every number as "#": a template with another number is the same."""
    return ["#" if word[0].isdigit() else word for word in _WORD.findall(text.lower())]


def six_grams(reply: Reply) -> frozenset[tuple[str, ...]]:
    """Six words in a row, without those that the prompt itself has or demands."""
    asked = _grams(" ".join(_texts(reply.ask))) | _grams("Finally, I will give 1 dollars")
    own = _KEY.sub(" ", reply.reply)
    if reply.form == "trust_game_dollars":
        own = _OBJECT.sub(" ", own)
    return frozenset(gram for gram in _grams(own) - asked if set(gram) != {"#"})


def _grams(text: str) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[start : start + 6]) for start in range(len(found) - 5)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
