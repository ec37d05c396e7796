"""Writing data under proof: frames that code fixes, texts that authors write, checks, blind readers.

A pipeline (`Pipeline`) is something that a benchmark brings: `Benchmark.pipelines` names it.

    frame (code, seeded)  →  sheet  →  author  →  import: schema, proofs, audits
                                                     ↓ refused: asked again with the reasons
    release  ←  blind readers  ←  accepted texts  ←──┘

pipeline   what a benchmark brings: `Pipeline`, `Stage`, `Check`, `Reading`
sheets     `Sheet`, and how replies are read from files
refusals   `Refusal`: why a reply was not accepted, in words for its author
ledger     every reply that came, in a file that only grows
state      where each unit stands, from the ledger alone
funnel     `Funnel`: what was made, refused, asked again, dropped and kept
"""

from __future__ import annotations

from otherminds.construct.funnel import Funnel, StageFunnel
from otherminds.construct.pipeline import (
    Ask,
    Check,
    Draft,
    Marking,
    Pipeline,
    Plan,
    Reading,
    Return,
    Role,
    Stage,
)
from otherminds.construct.refusals import Refusal
from otherminds.construct.sheets import Sheet
from otherminds.dataset_builders.constructed import Content, Unit

__all__ = [
    "Ask",
    "Check",
    "Content",
    "Draft",
    "Funnel",
    "Marking",
    "Pipeline",
    "Plan",
    "Reading",
    "Refusal",
    "Return",
    "Role",
    "Sheet",
    "Stage",
    "StageFunnel",
    "Unit",
]
