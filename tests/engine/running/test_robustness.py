"""Option order, paraphrase and chain of thought: what the answers owe to the form of the question."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.scoring.scorer import over_documents
from otherminds.tasks.hugagent import option_order
from otherminds.tasks.hugagent.option_order import SWAPPED, both_orders
from tests.helpers import fictional_hugagent

SWAP = "hugagent_bsi_swapped_synthetic"
FORMS = [SWAP, f"{SWAP}_logprob"]


@pytest.fixture(autouse=True, scope="module")
def _data(twelve_people: Path) -> None:
    harness.quiet(debug=False)


class Reply(LM):
    """Answers by a function of the prompt."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        super().__init__()
        self._answer = answer

    def generate_until(self, requests: list[Instance]) -> list[str]:
        return [self._answer(request.args[0]) for request in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        likely = [self._answer(one.args[0]) == one.args[1].strip() for one in requests]
        return [(-0.1 if found else -3.0, found) for found in likely]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError


def positive(prompt: str) -> str:
    """The letter that stands for one meaning, wherever it is."""
    [letter] = re.findall(r"^([AB])\. POSITIVE effect$", prompt, re.MULTILINE)
    return str(letter)


def coin(prompt: str) -> str:
    """A fair coin, tossed for each prompt."""
    return "AB"[hashlib.sha256(prompt.encode()).digest()[0] % 2]


def is_swapped(prompt: str) -> bool:
    return positive(prompt) == "B"


def evaluated(
    answer: Callable[[str], str], task: str, *flags: str
) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """A task's numbers by metric, and its samples."""
    arguments = harness.parse_arguments(flags, default_model="x")
    manager = harness.task_manager(arguments.metadata)
    results = harness.evaluate(Reply(answer), manager, [task], arguments)
    numbers = results["results"][task]
    by_metric = {key.split(",")[0]: value for key, value in numbers.items() if "," in key}
    return by_metric, results["samples"][task]


@cache
def loaded(name: str) -> Any:
    return harness.load_tasks(harness.task_manager(), [name])[name]


def row(item_id: str, answer: str, options: Sequence[str] = ("yes", "no")) -> dict[str, Any]:
    return {"item_id": item_id, "options": list(options), "answer": answer, "topic": "zoning"}


# --- Option order ---------------------------------------------------------------------------------


def test_each_document_is_followed_by_itself_with_options_and_gold_exchanged() -> None:
    docs = both_orders(Dataset.from_list([row("i1", "A"), row("i2", "A/B")]))
    assert list(docs) == [
        row("i1", "A") | {SWAPPED: False},
        row("i1", "B", ("no", "yes")) | {SWAPPED: True},
        row("i2", "A/B") | {SWAPPED: False},
        row("i2", "A/B", ("no", "yes")) | {SWAPPED: True},
    ]


@pytest.mark.parametrize(
    "odd",
    [row("i1", "7", ()), row("i1", "C"), row("i1", "A", ("yes", "no", "perhaps"))],
    ids=["a number", "a third letter", "three options"],
)
def test_a_document_without_two_options_is_refused_by_name(odd: dict[str, Any]) -> None:
    with pytest.raises(OtherMindsError, match="'i1' is not a choice between two options"):
        both_orders(Dataset.from_list([row("i0", "A"), odd]))


def test_two_orders_of_other_rows_are_other_data() -> None:
    first, second = (Dataset.from_list([row("i1", answer)]) for answer in "AB")
    assert both_orders(first)._fingerprint == both_orders(first)._fingerprint
    assert both_orders(first)._fingerprint not in (
        first._fingerprint,
        both_orders(second)._fingerprint,
    )


@pytest.mark.parametrize("task", FORMS)
def test_prompts_of_a_pair_differ_in_the_places_of_the_options_alone(task: str) -> None:
    one = loaded(task)
    docs = list(one.eval_docs)
    plain = loaded(task.replace("_swapped", ""))
    assert len(docs) == 2 * len(plain.eval_docs)
    for known, original, swapped in zip(plain.eval_docs, docs[::2], docs[1::2], strict=True):
        assert known["item_id"] == original["item_id"] == swapped["item_id"]
        shown = one.doc_to_text(original)
        assert shown == plain.doc_to_text(known)
        exchanged = shown.replace(
            "A. POSITIVE effect\nB. NEGATIVE effect", "A. NEGATIVE effect\nB. POSITIVE effect"
        )
        assert one.doc_to_text(swapped) == exchanged != shown
        assert {original["answer"], swapped["answer"]} == {"A", "B"}


@pytest.mark.parametrize("task", FORMS)
@pytest.mark.parametrize("letter", ["A", "B"])
def test_a_constant_letter_has_no_consistency_and_chance_accuracy(task: str, letter: str) -> None:
    found, _ = evaluated(lambda prompt: letter, task)
    assert found["order_consistency"] == found["order_consistency_stderr"] == 0.0
    assert found["same_letter"] == found["parse_rate"] == 1.0
    assert found["bsi_acc"] == pytest.approx(0.5)
    # What it wins in one order it loses in the other.
    assert found["bsi_acc_original"] + found["bsi_acc_swapped"] == pytest.approx(1.0)
    assert found["n_both_orders"] == len(loaded(task).eval_docs) / 2
    assert found["n_people"] == 12


@pytest.mark.parametrize("task", FORMS)
def test_a_constant_meaning_is_consistent_whether_right_or_wrong(task: str) -> None:
    found, _ = evaluated(positive, task)
    assert found["order_consistency"] == 1.0
    assert found["same_letter"] == 0.0
    assert 0.3 < found["bsi_acc_original"] < 0.7
    assert found["bsi_acc_swapped"] == pytest.approx(found["bsi_acc_original"])
    assert found["bsi_acc"] == pytest.approx(found["bsi_acc_original"])


@pytest.mark.parametrize("task", FORMS)
def test_the_oracle_is_right_and_consistent(task: str, tmp_path: Path) -> None:
    flags = ["--model", "oracle", "--output_path"]
    numbers = run([task], [*flags, str(tmp_path)], Options()).results["results"][task]
    for metric in ("bsi_acc", "bsi_acc_original", "bsi_acc_swapped", "order_consistency"):
        assert numbers[f"{metric},none"] == 1.0
    assert numbers["same_letter,none"] == 0.0


@pytest.mark.parametrize("model", ["demographic-linear", "reader"])
def test_weightless_models_that_answer_the_question_are_consistent(
    model: str, tmp_path: Path
) -> None:
    flags = ["--model", model, "--output_path"]
    numbers = run([SWAP], [*flags, str(tmp_path)], Options()).results["results"][SWAP]
    assert numbers["order_consistency,none"] == 1.0
    first, second = (numbers[f"bsi_acc_{order},none"] for order in ("original", "swapped"))
    assert first == pytest.approx(second)


def test_random_draws_again_for_the_other_order(tmp_path: Path) -> None:
    flags = ["--model", "random", "--output_path"]
    numbers = run([SWAP], [*flags, str(tmp_path)], Options()).results["results"][SWAP]
    error = numbers["order_consistency_stderr,none"]
    assert abs(numbers["order_consistency,none"] - 0.5) < 4 * error < 0.2


@pytest.mark.parametrize("task", FORMS)
def test_a_coin_is_consistent_half_of_the_time(task: str) -> None:
    found, samples = evaluated(coin, task)
    for metric in ("order_consistency", "same_letter", "bsi_acc"):
        assert abs(found[metric] - 0.5) < 4 * found[f"{metric}_stderr"]
        assert 0.01 < found[f"{metric}_stderr"] < 0.08
    assert found["order_consistency"] + found["same_letter"] == pytest.approx(1.0)
    value, stderr = by_hand(samples)
    assert found["order_consistency"] == pytest.approx(value)
    assert found["order_consistency_stderr"] == pytest.approx(stderr)


def by_hand(samples: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Consistency from the sample log: agreement in meaning, clustered by person."""
    meanings: dict[str, set[bool]] = {}
    people: dict[str, str] = {}
    for sample in samples:
        doc = sample["doc"]
        # Right in both orders or wrong in both: the same meaning, as no gold here is "A/B".
        meanings.setdefault(doc["item_id"], set()).add(sample["bsi_acc"] == [1.0])
        people[doc["item_id"]] = doc["participant_id"]
    agree = {item: float(len(found) == 1) for item, found in meanings.items()}
    mean = sum(agree.values()) / len(agree)
    residuals: dict[str, float] = {}
    for item, value in agree.items():
        residuals[people[item]] = residuals.get(people[item], 0.0) + value - mean
    g = len(residuals)
    spread = sum(total**2 for total in residuals.values())
    return mean, math.sqrt(g / (g - 1) * spread) / len(agree)


def test_what_cannot_be_read_in_one_order_is_neither_consistent_nor_the_same_letter() -> None:
    found, _ = evaluated(lambda prompt: "" if is_swapped(prompt) else "A", SWAP)
    assert found["order_consistency"] == found["same_letter"] == 0.0
    assert found["parse_rate"] == pytest.approx(0.5)
    assert found["bsi_acc_swapped"] == 0.0 < found["bsi_acc_original"]


def test_a_limit_may_cut_one_pair_apart_and_the_rest_is_measured() -> None:
    found, _ = evaluated(positive, SWAP, "--limit", "41")
    assert found["n_both_orders"] == 20
    assert found["order_consistency"] == 1.0


def test_one_document_has_no_consistency_and_spoils_no_table() -> None:
    found, _ = evaluated(positive, SWAP, "--limit", "1")
    assert found["n_both_orders"] == 0
    assert found["n_people"] == found["parse_rate"] == 1
    for metric in ("order_consistency", "same_letter", "bsi_acc_swapped"):
        assert math.isnan(found[metric])


def test_repeats_are_compared_run_by_run_and_averaged() -> None:
    one = loaded(SWAP)
    original, swapped = one.eval_docs[0], one.eval_docs[1]
    scored = [
        one.process_results(original, [["A", "A", "B", "A"]]),
        one.process_results(swapped, [["B", "A", "A", "?"]]),
    ]
    # Runs: consistent, same letter, consistent, unread.
    values = {
        name: over_documents([scores[name] for scores in scored])
        for name in ("order_consistency", "same_letter", "parse_rate", "n_people")
    }
    assert values == {
        "order_consistency": 0.5,
        "same_letter": 0.25,
        "parse_rate": 7 / 8,
        "n_people": 1.0,
    }


def test_an_ablation_can_be_asked_in_both_orders() -> None:
    wanted = {"dataset": "hugagent-synthetic", "configs": ["bsi"]}
    shown = option_order.for_task(**wanted, evidence="no_context")["test"]
    whole = option_order.for_task(**wanted)["test"]
    assert shown["item_id"] == whole["item_id"]
    assert not any(shown["context"])


# --- Paraphrase -----------------------------------------------------------------------------------


def first_of_each_kind(task: Any) -> list[dict[str, Any]]:
    kinds: dict[tuple[Any, ...], dict[str, Any]] = {}
    for doc in task.eval_docs:
        kinds.setdefault((doc["task"], doc["question_type"]), doc)
    assert len(kinds) == 3
    return list(kinds.values())


def parts(prompt: str) -> tuple[str, str]:
    """The evidence, and what is asked."""
    start = prompt.rindex("\n# ")
    return prompt[:start], prompt[start:]


@pytest.mark.parametrize("variant", ["hugagent_paraphrased_synthetic", "hugagent_cot_synthetic"])
def test_variants_ask_the_same_items_on_the_same_evidence(variant: str) -> None:
    base, other = loaded("hugagent_synthetic"), loaded(variant)
    assert other.eval_docs["item_id"] == base.eval_docs["item_id"]
    assert other.config.metric_list == base.config.metric_list
    for doc in other.eval_docs.select(range(0, len(other.eval_docs), 7)):
        evidence, asked = parts(other.doc_to_text(doc))
        known, _ = parts(base.doc_to_text(doc))
        assert evidence == known
        assert doc["question"] in asked
        shown = [*doc["options"], *(str(end) for end in doc["scale"]), *doc["scale_labels"]]
        assert all(text in asked for text in [*shown, doc["reason_text"] or ""])
        hidden = {"answer": "@@", "evidence": "@@", "item_id": "@@", "participant_id": "@@"}
        assert other.doc_to_text(doc | hidden) == evidence + asked


def test_the_paraphrase_shares_no_instruction_with_the_original() -> None:
    base, other = loaded("hugagent_synthetic"), loaded("hugagent_paraphrased_synthetic")
    assert base.config.description != other.config.description
    for doc in first_of_each_kind(base):
        given = {doc["question"], f"Reason {doc['reason_code']}: {doc['reason_text']}"}
        given |= {f"{letter}. {text}" for letter, text in zip("AB", doc["options"], strict=False)}
        ours, theirs = (
            {line for line in parts(task.doc_to_text(doc))[1].splitlines() if line} - given
            for task in (base, other)
        )
        assert ours
        assert theirs
        assert not ours & theirs
        # Nor any run of five words, so that it is another wording and not another order.
        assert not fives(ours) & fives(theirs)
    assert not fives([base.config.description]) & fives([other.config.description])


def fives(lines: Iterable[str]) -> set[tuple[str, ...]]:
    words = [re.findall(r"\w+", line.lower()) for line in lines]
    return {tuple(line[i : i + 5]) for line in words for i in range(len(line) - 4)}


# --- Chain of thought -----------------------------------------------------------------------------

LETTERS = {
    "answer line": (
        "The person lives downtown and says that crowded clinics wear them out. Longer waits would "
        "therefore speak against the plan for them.\n\nAnswer: B",
        "B",
    ),
    "bold line": (
        "**Step 1:** She worries about bills.\n**Step 2:** The plan lowers bills.\n\n**Answer: A**",
        "A",
    ),
    "bold mark": ("They talk warmly of more doctors, so it helps.\n\n**Answer:** A", "A"),
    "letter and text": (
        "Everything said about noise is against.\n\nAnswer: B. NEGATIVE effect",
        "B",
    ),
    "text alone": ("Everything said about noise is against.\n\nAnswer: NEGATIVE effect", "B"),
    "a word of the options in the reasoning": (
        "The effect on rents is NEGATIVE, they fall. But falling rents please this person.\n\nAnswer: A",
        "A",
    ),
    "changed mind": (
        "At first glance the answer is A, because he likes new buildings. But twice he says that noise "
        "would drive him out, and the question is about noise. That outweighs it.\n\nAnswer: B",
        "B",
    ),
    "changed mind in two lines": (
        "Answer: A\n\nHmm, wait. Noise would drive him out, he says. That weighs more.\n\nAnswer: B",
        "B",
    ),
    "answer first": (
        "Answer: A\n\nThis person would be glad of shorter waits, and shorter waits follow from this.",
        "A",
    ),
    "answer first, then taken back": (
        "Answer: A\n\nThey would be glad of shorter waits. Wait, actually they said the opposite.",
        None,
    ),
    "heading": ("## Reasoning\n- drives everywhere\n- dislikes change\n\n## Answer\n\nB", "B"),
    "boxed": ("It raises their support, on the whole.\n\n$$\\boxed{A}$$", "A"),
    "article": ("A person with this past would welcome it. A visit costs a lot.\n\nAnswer: A", "A"),
    "remark after it": (
        "He dislikes noise.\n\nAnswer: B\n\nLet me know if more detail helps!",
        "B",
    ),
    "format forgotten": (
        "She likes parks, and this brings parks closer to her door.\n\n**A**",
        "A",
    ),
    "no reasoning": ("B", "B"),
    "thinking removed": ("<think>\nA? Or B? The answer is A ... no.\n</think>\n\nAnswer: B", "B"),
    "thinking begun in the prompt": ("Is it A? Answer: A, perhaps.\n</think>\nAnswer: B", "B"),
    "thinking cut off": (
        "<think>\nThe rent would fall, they said. Answer: A\n\nBut then again",
        None,
    ),
    "cut off": (
        "Let me weigh both. Option A would mean that cameras make them feel safe. Option B would mean "
        "that they feel watched. On the one hand, they said that a late bus is",
        None,
    ),
    "cut off while leaning": (
        "The interview says little about parks. If that were all, I would choose A. Yet there is also "
        "the matter of the noise, of which they say that",
        None,
    ),
    "cut off after a first guess": (
        "At first glance the answer is A, because he likes new buildings. But twice he says that noise "
        "would drive him out, and the question is about",
        None,
    ),
    "cut off with one letter in bold": (
        "**Option A** fits the first part of the interview, where he praises the park.\n\nThe second",
        None,
    ),
    "cut off at the answer": ("1. The person is retired.\n2. The person drives.\n\nAnswer:", None),
    "both": ("It cuts both ways for this person.\n\nAnswer: A or B", None),
    "neither": ("Nothing in the interview bears on this.\n\nAnswer: neither", None),
    "the form copied": ("Nothing in the interview bears on this.\n\nAnswer: X", None),
}

# On the scale of 1 to 10.
NUMBERS = {
    "several numbers": (
        "1. She is 67 and retired.\n2. She put the plan at 9 before.\n3. Of 2 effects, 1 speaks against "
        "it.\n\nAnswer: 7",
        7,
    ),
    "arithmetic": ("9 - 2 = 7, and the waits take off 1 more.\n\nAnswer: 6", 6),
    "bold": ("The starting point is 4, and noise is a big issue.\n\n**Answer: 2**", 2),
    "out of ten": ("They lean in favor of it, and the scenario helps.\n\nAnswer: 8/10", 8),
    "with its label": ("All of it speaks against.\n\nAnswer: 1 (Strongly oppose)", 1),
    "in words": ("They care a great deal about it.\n\nAnswer: five", 5),
    "ten": ("They are totally for it, and the numbers are good.\n\nAnswer: 10", 10),
    "changed mind": (
        'My first estimate is 5. But at the end they say "I\'m totally for it". So my answer is 5? No, '
        "that is too low.\n\nAnswer: 9",
        9,
    ),
    "changed mind in two lines": (
        "Answer: 5\n\nLet me check this against the end. They are totally for it.\n\nAnswer: 9",
        9,
    ),
    "answer first": ("Answer: 4\n\nThe choice of doctors comes up 3 times, once with feeling.", 4),
    "heading": ("### Step 1\nThey like quiet.\n\n### Final Answer\n\n**3**", 3),
    "thinking removed": ("<think>At 4. Perhaps 6, or 7.</think>\nThey move up.\n\nAnswer: 6", 6),
    "thinking cut off": ("<think>They were at 4 before. The answer is 6, unless", None),
    "a very long chain": ("They say 4 here and 5 there. " * 1_500 + "\n\nAnswer: 4", 4),
    "a very long chain cut off": ("They say 4 here and 5 there. " * 1_500 + "On balance,", None),
    "cut off after one number": (
        "First, where does this person start? They sound like a 7 to me. The scenario then brings more "
        "noise, which they",
        None,
    ),
    "cut off within a list": (
        "Let me go through it.\n\n1. The person likes quiet.\n2. The scenario brings noise.\n3.",
        None,
    ),
    "cut off below a note": (
        "Starting point:\n7\nWhat the scenario does to it:\nThe noise is",
        None,
    ),
    "cut off within the answer": ("They like it somewhat. The answer is between 6 and", None),
    "a range": ("It is hard to say from the interview.\n\nAnswer: 6-7", None),
    "a half": ("It is hard to say from the interview.\n\nAnswer: 6.5", None),
    "beyond the scale": ("They could not be more in favor of it.\n\nAnswer: 12", None),
}


def answer_of(kind: str, reply: str | None) -> Any:
    """What the chain-of-thought task reads in a reply to a document of a kind."""
    task = loaded("hugagent_cot_synthetic")
    doc = next(d for d in task.eval_docs if kind in (d["task"], d["question_type"]))
    scored = task.process_results(doc, [[reply]])["parse_rate"]
    [answer] = scored.record.item.answers
    assert scored == [float(answer is not None)]
    return answer


@pytest.mark.parametrize("case", LETTERS)
def test_a_letter_is_read_from_reasoning(case: str) -> None:
    reply, expected = LETTERS[case]
    assert answer_of("bsi", reply) == expected


@pytest.mark.parametrize("case", NUMBERS)
def test_a_number_is_read_from_reasoning(case: str) -> None:
    reply, expected = NUMBERS[case]
    assert answer_of("opinion", reply) == expected


@pytest.mark.parametrize("reply", [None, "", " \n ", "<think>", "lol", "\ud800\x00"])
@pytest.mark.parametrize("kind", ["bsi", "opinion", "reason_evaluation"])
def test_nothing_is_no_answer_to_any_kind(kind: str, reply: str | None) -> None:
    assert answer_of(kind, reply) is None


def test_wherever_a_chain_is_cut_off_it_has_no_answer_before_its_answer_line() -> None:
    reasoning, _, line = LETTERS["changed mind"][0].rpartition("\n\n")
    assert line == "Answer: B"
    task = loaded("hugagent_cot_synthetic")
    doc = next(d for d in task.eval_docs if d["task"] == "bsi")
    # Shorter pieces than this are never what a limit of thousands of tokens leaves.
    # A token ends at a word's end more often than within it, and "B" of "But" would be an answer.
    pieces = [
        reasoning[: found.start()]
        for found in re.finditer(r"(?!\w)", reasoning)
        if found.start() > 60
    ]
    read = task.process_results(doc, [pieces])["parse_rate"].record.item.answers
    assert set(read) == {None}


def test_the_form_leaves_room_to_reason() -> None:
    task = loaded("hugagent_cot_synthetic")
    assert task.config.generation_kwargs["max_gen_toks"] >= 4_096
    assert task.config.generation_kwargs["until"] == []
    for doc in first_of_each_kind(task):
        asked = parts(task.doc_to_text(doc))[1]
        assert "step by step" in asked
        assert "\nAnswer: X\n" in asked


def test_a_short_answer_scores_as_in_the_plain_task(tmp_path: Path) -> None:
    flags = ["--model", "corrupted-oracle", "--output_path"]
    names = ["hugagent_synthetic", "hugagent_cot_synthetic", "hugagent_paraphrased_synthetic"]
    found = run(names, [*flags, str(tmp_path)], Options()).results["results"]
    plain, *others = (
        {key: value for key, value in found[name].items() if "," in key} for name in names
    )
    assert np.isfinite(plain["composite,none"])
    for other in others:
        assert other == plain


# --- The human track ------------------------------------------------------------------------------


def test_the_human_track_has_every_form(tmp_path: Path) -> None:
    clone = fictional_hugagent.write_clone(fictional_hugagent.sample(), tmp_path / "clone")
    flags = ["--model", "oracle", "--metadata", json.dumps({"data_source": str(clone)})]
    names = ["hugagent_bsi_swapped", "hugagent_bsi_swapped_logprob"]
    names += ["hugagent", "hugagent_paraphrased", "hugagent_cot"]
    flags += ["--output_path", str(tmp_path / "out")]
    results = run(names, flags, Options()).results["results"]
    for name in names[:2]:
        # Of the 24 items one has the gold "A/B", which is wrong under the paper's protocol, and for
        # which the oracle says A in either order.
        assert results[name]["n_both_orders,none"] == 24
        for metric in ("bsi_acc_original", "bsi_acc_swapped", "order_consistency"):
            assert results[name][f"{metric},none"] == pytest.approx(23 / 24)
        assert results[name]["same_letter,none"] == pytest.approx(1 / 24)
    plain, *others = (
        {key: value for key, value in results[name].items() if "," in key} for name in names[2:]
    )
    assert plain["ati,none"] > 100
    assert all(other == plain for other in others)
