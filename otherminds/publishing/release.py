"""For maintainers: measure a generated dataset and write its numbers into the manifest.

    python -m otherminds.publishing.release DATASET [SOURCE]

SOURCE is the file of others that the dataset is built from, where it is not generated. Everything that a
manifest says in numbers about such a dataset comes from here, so that nobody
types one: row counts, content hashes, reference scores and what the audits measured. It changes
`cards/<dataset>/manifest.yaml` and the tables in `docs/` in place; raise `version` in the manifest first
when the content changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherminds import files, manifest, paths, weightless
from otherminds.benchmark import of_dataset
from otherminds.data.build import dataset as build
from otherminds.dataset_builders.verdict import Audit
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest, Reference
from otherminds.metrics.hugagent import Item, summarize, uniform_scores
from otherminds.progress import bar
from otherminds.publishing import doc_tables
from otherminds.tasks.debate import references as release_debate
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.tasks.hugagent.scoring import item, parse
from otherminds.tasks.hugagent.weightless import RuleBasedReader
from otherminds.tasks.socialmindchange import stage_page

_REPORTED = (
    "composite",
    "bsi_acc",
    "bdu_acc",
    "bdu_mae",
    "bdu_dir",
    "bdu_change",
    "bdu_direction",
)


def measure(known: Manifest, tables: Mapping[str, pa.Table], audits: Iterable[Audit]) -> Manifest:
    """The manifest with the counts, content hashes and scores of these tables."""
    references = _REFERENCES[str(known.builder).split(".")[0]](known, tables)
    return known.model_copy(
        update={
            "configs": build.described(known, tables),
            "references": references,
            "measured": {audit.name: audit.value for audit in audits},
        }
    )


def hugagent_references(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance, majority and the rule-based reader, of all items, each topic and each subset."""
    docs = [doc for name in of_dataset(known.dataset).items for doc in tables[name].to_pylist()]
    return {
        "chance": Reference(
            description="Expected score of answers drawn uniformly and independently.",
            scores=_by_part([item(doc) for doc in docs], docs, uniform_scores),
        ),
        "majority": _weightless(weightless.Majority(), docs),
        "reader": _weightless(RuleBasedReader(), docs),
    }


def debate_references(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance, models without weights, and the optimum of a generated population, by condition."""
    optimal = None
    if known.generated:
        from otherminds.dataset_builders.debate import synthetic

        optimal = synthetic.ceilings(tables, synthetic.spec(known.generator or {}))
    return release_debate.references(tables[known.default_config], optimal)


def uniform_references(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """Chance among the options of the questions."""
    shares = [1 / len(options) for options in tables[known.default_config]["options"].to_pylist()]
    scores = {"all": {"acc": round(sum(shares) / len(shares), 6)}}
    return {"chance": Reference(description="Letters drawn at random.", scores=scores)}


def no_references(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Reference]:
    """None: all that there is to know is in `measured`."""
    return {}


_REFERENCES = {
    "hugagent": hugagent_references,
    "debate": debate_references,
    # Nobody is right or wrong about personas, and no score of a judge is one of the data alone.
    "trust_game": no_references,
    "synchtom": no_references,
    "socialmindchange": uniform_references,
}


def _weightless(strategy: weightless.Strategy, docs: list[dict[str, Any]]) -> Reference:
    asked = [QUESTIONS.asked(doc) for doc in docs]
    strategy.fit(asked)
    items = [
        item(one.doc, (parse(one.doc, one.answers[strategy.choose(one, 0)]),)) for one in asked
    ]
    return Reference(description=weightless.about(strategy), scores=_by_part(items, docs, _point))


def _point(items: list[Item]) -> dict[str, float]:
    return {name: estimate.value for name, estimate in summarize(items, draws=1).estimates.items()}


def _by_part(
    items: list[Item],
    docs: list[dict[str, Any]],
    score: Callable[[list[Item]], Mapping[str, float]],
) -> dict[str, dict[str, float]]:
    """Scores of all items, of each topic, and of each fixed subset of the people."""
    parts = {"all": items}
    for topic in sorted({one.topic for one in items}):
        parts[topic] = [one for one in items if one.topic == topic]
    for column in sorted(name for name in docs[0] if name.startswith("in_subset_")):
        inside = [one for one, doc in zip(items, docs, strict=True) if doc[column]]
        parts[column.removeprefix("in_")] = inside
    return {
        name: {m: round(value, 6) for m, value in score(part).items() if m in _REPORTED}
        for name, part in parts.items()
    }


def main(dataset: str, source: str | None = None) -> None:
    """Build the dataset, audit it, and rewrite its manifest."""
    known = manifest.load(dataset)
    with bar(f"Building {dataset}") as progress:
        if known.handed is not None and source is not None:
            from_source = build.source_builder_of(known)
            parameters = from_source.spec(known.parameters)
            built = from_source.build(Path(source), parameters, progress=progress)
            tables = {known.default_config: built.table}
            audits = from_source.audit(built, parameters)
        else:
            builder = build.builder_of(known)
            spec = builder.spec(known.generator or {})
            tables = builder.build(spec, num_proc=2, progress=progress)
            audits = builder.audit(tables, spec)
    if failed := [audit for audit in audits if not audit.passed]:
        raise OtherMindsError("; ".join(f"{audit.name}: {audit.detail}" for audit in failed))
    measured = measure(known, tables, audits)
    with files.atomic_file(manifest.path_of(dataset)) as partial:
        partial.write_text(manifest.dump(measured), encoding="utf-8")
    for page in sorted((paths.cards().parent / "docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (filled := doc_tables.fill(text, measured)) != text:
            page.write_text(filled, encoding="utf-8")
    if str(known.builder).startswith("socialmindchange."):
        shown = paths.cards().parent / "docs" / stage_page.NAME
        shown.write_text(stage_page.page(measured), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
