"""OtherMinds as an environment for verifiers; see the README."""

from otherminds_training.taskset import PersonTaskset

__all__ = ["PersonTaskset"]
