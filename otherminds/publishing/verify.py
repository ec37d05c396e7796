"""Whether what can be downloaded is what was published."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from otherminds import files
from otherminds.progress import bar
from otherminds.publishing.contents import LocalFile, difference
from otherminds.publishing.remote import Remote


def differing(remote: Remote, commit: str, wanted: Mapping[str, LocalFile]) -> list[str]:
    """The paths at a commit that are missing, too many, or of another SHA-256 when downloaded."""
    # What the Hub lists tells most differences, and without a download.
    if listed := difference(wanted, remote.files(commit)).paths:
        return listed
    wrong = []
    with tempfile.TemporaryDirectory() as folder, bar("Downloading to compare") as progress:
        for place, (path, file) in enumerate(wanted.items()):
            progress(place, len(wanted))
            found = remote.download(path, commit, Path(folder))
            if files.sha256(found) != file.sha256:
                wrong.append(path)
        progress(len(wanted), len(wanted))
    return wrong
