"""All models as one, under each condition: a paper's mean over models and majority vote."""

from __future__ import annotations

from otherminds.analysis.conditions import Series, series
from otherminds.analysis.ensembles import ensemble
from otherminds.analysis.layouts import conditions_of
from otherminds.analysis.runs import Run, Runs
from otherminds.errors import OtherMindsError


def combined_models(runs: Runs) -> Runs:
    """The mean over models and their majority vote (`ensembles.ensemble`), a run for each condition.

    Made where a paper groups the parts of its data (`layouts.Conditions.grouped`) and two or more models
    share two or more conditions; of these conditions alone, so that all rest on the same models. What
    cannot be combined is left out, and the notes say why.
    """
    made: list[Run] = []
    notes: list[str] = []
    for form, models in _forms(runs):
        known = conditions_of(models[0].dataset)
        shared = [
            name
            for name in (known.conditions if known else ())
            if all(name in one.runs for one in models)
        ]
        if len(models) < 2 or len(shared) < 2:
            continue
        try:
            for name in shared:
                found = ensemble(Runs([one.runs[name] for one in models], ()))
                made += [found.mean, found.vote]
                notes += found.notes
        except OtherMindsError as error:
            notes.append(f"{form}: the models are not combined. {error.reason}")
    return Runs(made, list(dict.fromkeys(notes)))


def _forms(runs: Runs) -> list[tuple[str, list[Series]]]:
    """The models that were run under several conditions, by form of the tasks, dataset by dataset."""
    found: dict[tuple[str, str], list[Series]] = {}
    for one in series(runs):
        layout = conditions_of(one.dataset)
        if layout is not None and layout.grouped and len(one.runs) > 1:
            found.setdefault((one.dataset, one.form), []).append(one)
    return [(form, models) for (_, form), models in found.items()]
