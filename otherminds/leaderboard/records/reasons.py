"""The codes of refusals and flags, with their meaning."""

from __future__ import annotations

from otherminds.leaderboard.records.record import Finding

REASONS = {
    "folder-missing": "There is no such folder.",
    "folder-name": "The folder's name is not an id: lower-case letters and digits with single hyphens.",
    "id-mismatch": "The folder's name is not the id that is made from the model's name and the record.",
    "not-a-file": "A link, device or pipe lies where only files and folders may.",
    "too-many-files": "There are more files than a submission may have.",
    "file-too-large": "A file is larger than it may be; it was not opened.",
    "submission-too-large": "All files together are larger than they may be; none was opened.",
    "unexpected-file": "A file lies there that no submission has, such as a verification of its own.",
    "too-many-commits": "The pull request has more commits than are looked at.",
    "submitter-mismatch": "The submitter is not who opened the pull request.",
    "touches-others": "The pull request changes more than the one submission that it adds.",
    "record-missing": "There is no record.json.",
    "json-encoding": "The record is not UTF-8.",
    "json-too-deep": "The record's brackets are nested more deeply than any record's.",
    "json-invalid": "The record is not JSON.",
    "json-duplicate-key": "The record states a field twice.",
    "number-not-finite": "A number is NaN, infinite or too large to be one.",
    "field-unknown": "The record has a field that the schema does not.",
    "field-missing": "The record lacks a field.",
    "name-unsafe": "A name has characters that names may not have, or lacks those that it must have.",
    "text-unsafe": "A text has control characters, look-alikes or HTML.",
    "too-long": "A text or list is longer than it may be.",
    "record-date": "The record is dated later than the day on which it was looked at.",
    "record-invalid": "The record is not of the schema.",
    "task-unknown": "There is no such task.",
    "task-unsupported": "Answers to this task cannot be scored again from a submission.",
    "task-version": "The task's version is not the one that is scored here.",
    "dataset-mismatch": "The task is not on this dataset.",
    "data-version": "The data are not of the tagged version.",
    "content-hash": "The content hashes are not those of the tagged version.",
    "subset-unknown": "The data have no such subset.",
    "prompt-hash": "The prompts are not those of the task.",
    "n-items": "The number of documents is not the task's.",
    "answers-missing": "The file of answers that the record names is not there.",
    "not-parquet": "A file of answers is not Parquet.",
    "parquet-invalid": "A file of answers cannot be read.",
    "parquet-columns": "A file of answers has other columns or types than those of the schema.",
    "parquet-too-large": "A file of answers declares or holds more than it may.",
    "parquet-too-costly": "Reading a file of answers took more memory or time than it may.",
    "value-missing": "A row lacks its item_id or run.",
    "value-too-long": "A text in a file of answers is longer than it may be.",
    "run-out-of-range": "A run is not one of 0 … repeats - 1.",
    "row-duplicate": "A document is answered twice in one run.",
    "item-unknown": "A document is not in the data.",
    "coverage": "A document is not answered in every run.",
    "doc-hash": "A document's hash is not that of the data.",
    "answer-invalid": "An answer is none that the document admits.",
    "column-not-allowed": "A column is filled that could tell golds or texts that may not be shown.",
    "raw-incomplete": "Raw answers must be there for all rows or for none.",
    "raw-mismatch": "A raw answer does not read as the parsed answer that is stated.",
    "log-likelihoods": "Log-likelihoods are not there for each option, or there though not asked for.",
    "repeats-unsupported": "A task that compares log-likelihoods is run once.",
    "correct-mismatch": "An answer is stated to be right that is not, or the other way round.",
    "answers-digest": "The hash of the answers in the record is not that of the file.",
    "metric-missing": "A metric of the task is not claimed.",
    "metric-unknown": "A metric is claimed that the task does not have.",
    "score-mismatch": "A claimed score is not what the answers give.",
    "interval-mismatch": "A claimed interval, error or n is not what the answers give.",
    "sums-mismatch": "The sums in the verification are not those of the answers.",
    "scoring-failed": "The answers contradict each other, so that no score can be computed.",
    "season-unknown": "There is no such season here.",
    "season-not-open": "The season took no entries on the day on which this one was received.",
    "season-day-unknown": "Nothing says on which day the entry was received.",
    "season-closed": "The season is closed and its golds are known; it takes no entry any more.",
    "season-task": "The task is not one of the season.",
    "season-entry-twice": "The season has an entry of this model by this submitter.",
    "duplicate-answers": "An earlier submission has the very same answers.",
    "not-accepted": "The submission has not been accepted, or nothing that can be read says so.",
    "duplicate-id": "There is a submission of this id already.",
}

FLAGS = {
    "data-unavailable": "The data are not at hand here, so the scores are only the submitter's word.",
    "gold-perfect": "Of a hundred answers at least ninety-nine are the gold ones.",
    "above-human-ceiling": "A score is above the interval of the human ceiling.",
    "above-known-ceiling": "A score is above what knowing how the data were made can give.",
    "same-answers-when-shuffled": "The same letter is given to each question when options move.",
    "constant-answers": "All answers are the same.",
    "look-alike-name": "The model's name looks like another one of an earlier submission.",
    "trained-on-data": "The submitter states that the model was fitted to these data.",
    "near-duplicate": "The answers, or the wrong ones among them, agree with another model's more than "
    "those of independent models would. Honest ones do where both are nearly as good as can be, or are "
    "made from one model: say here what the two have in common.",
    "earlier-request": "Another open pull request, by somebody else, came first and has these answers, "
    "or nearly these. Whoever gave them first may say here how that can be seen.",
    "withdrawn-before": "The same submission, or its answers, were accepted once and withdrawn. What "
    "has changed since may be said here.",
    "name-taken": "An earlier submission of a model of this name, or one read alike, is by somebody "
    "else. If it is the same model, say so here; if it is another one, give it another name.",
    "unaffiliated": "The submitter is not seen to belong to the account or organisation with which the "
    "model's name begins. Its members can make their membership public on the Hub, and submit again.",
    "not-comparable": "The task or its data have changed since; the scores are of what it was.",
    "no-raw-answers": "Raw answers could be shown and are not there.",
    "verification-too-costly": "Verifying took more memory or time than it may; nothing is known.",
}

_LONGEST = 400


class RefusedError(Exception):
    """A submission is refused: a code of `REASONS`, and a detail."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.finding = finding(code, detail)


def finding(code: str, detail: str) -> Finding:
    """A reason or flag; text of strangers in `detail` is made harmless. KeyError for an unknown code."""
    if code not in REASONS and code not in FLAGS:
        raise KeyError(code)
    return Finding(code=code, detail=plain(detail))


def plain(text: str, *, limit: int = _LONGEST) -> str:
    """A stranger's text fit for terminals and pages: nothing but printable ASCII, and no HTML."""
    harmless = ascii(text)[1:-1].translate(_HARMLESS)
    return harmless if len(harmless) <= limit else f"{harmless[:limit]} ..."


_HARMLESS = str.maketrans({"<": "(", ">": ")", "&": "+"})
