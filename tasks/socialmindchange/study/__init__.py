"""The human study of SocialMindChange: sheets that go to people, and their answers.

Nothing here that goes to an annotator holds a gold answer, a reason, a state of mind or the id of a
stage: `key.json` alone does, and it stays with the study's leader. Anybody with the data can find
every question in them by its text: annotators must be people who do not look there.
"""

from __future__ import annotations

from otherminds.tasks.socialmindchange.study.comparison import Beside, beside
from otherminds.tasks.socialmindchange.study.reading import Returned, read
from otherminds.tasks.socialmindchange.study.results import Results, evaluate
from otherminds.tasks.socialmindchange.study.sampling import Plan
from otherminds.tasks.socialmindchange.study.writing import export

__all__ = ["Beside", "Plan", "Results", "Returned", "beside", "evaluate", "export", "read"]
