"""What each task and group of HugAgent asks, in a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_QUESTIONS = {
    ("bsi",): "does one thing help or hurt another, in this person's view? (BSI)",
    ("bdu",): "how do a person's stance and reasons move under new evidence? (BDU)",
}
_BOTH = "a person's beliefs (BSI), and how they move (BDU)"
_SHORT = {("bsi",): "BSI", ("bdu",): "BDU"}

_EVIDENCE = {
    "context5": "from the first 5 exchanges of the interview",
    "context10": "from the first 10 exchanges of the interview",
    "random_k": "from random exchanges of the interview",
    "no_context": "from demographics alone",
    "no_demographics": "from the interview alone",
    "cross_domain": "from the person's interview on another topic",
    "cross_person": "from another person's interview",
    "rag": "from the 5 exchanges most like the question",
    "rag_full": "from the interview, and the 5 exchanges most like the question again",
    "survey_examples": "from demographics and other people's answers",
}

_FORMS = {
    "answer_cot": "reasoning first",
    "answer_paraphrased": "with the prompt in other words",
}

_STAGES = {
    "portrait": "stage: who a person is, and how they talk",
    "reading": "an answer from what a model is shown, as a blind reader",
}

_GROUPS = {
    "hugagent_ablations": "what a model makes of less, other or somebody else's evidence",
    "hugagent_bdu_topics": "BDU, each topic apart",
    "hugagent_bsi_topics": "BSI, each topic apart",
}


def line(content: Mapping[str, Any]) -> str:
    """What the task or group with this YAML asks."""
    if "group" in content:
        return _GROUPS[content["group"].replace("_synthetic", "")]
    wanted = content["dataset_kwargs"]
    if stage := wanted.get("stage"):
        return _STAGES.get(stage, f"stage: the interview with a person on {stage}")
    made = content["custom_dataset"].removeprefix("otherminds.tasks.hugagent.")
    if made == "graphs.documents":
        given = "between given nodes, " if wanted.get("given_nodes") else ""
        return f"what leads to what, {given}in this person's view? (belief graph)"
    if made == "reflections.notes":
        return "stage: what three experts note in a person's interview"
    configs = tuple(wanted["configs"])
    said = []
    if made == "reflections.items":
        said.append("with three experts' notes on the interview")
    if made == "graph_answers.items":
        said.append("with a belief graph drawn up from the interview")
    if made == "option_order.for_task":
        said.append("in both orders of the options")
    if evidence := wanted.get("evidence"):
        said.append(_EVIDENCE[evidence])
    if form := _FORMS.get(str(content["doc_to_text"]).partition("__")[2]):
        said.append(form)
    if wanted["dataset"] == "hugagent-stated":
        said.append("on the first edition, whose beliefs are mostly stated")
    if wanted["dataset"] == "hugagent-core":
        said.append("on interviews that authors wrote")
    if topic := wanted.get("topic"):
        said.append(f"on {topic}")
    if not said:
        return _QUESTIONS.get(configs, _BOTH)
    return ", ".join([_SHORT.get(configs, "BSI and BDU"), *said])
