"""Numbers of manifests inside sentences: `<!-- DATASET REFERENCE PART METRIC -->60.1<!-- / -->`.

`python -m docsite.items` writes them, and a test fails where one is stale. Shares are shown out of 100.
"""

from __future__ import annotations

import re

from otherminds import manifest

MARK = re.compile(r"(<!-- ([\w-]+) ([^<>]+?) ([\w/.-]+) (\w+) -->)[^<\n]*(<!-- / -->)")


def filled(text: str) -> str:
    """A page's text with its numbers as the manifests have them now."""
    return MARK.sub(lambda match: f"{match[1]}{figure(*match.group(2, 3, 4, 5))}{match[6]}", text)


def figure(dataset: str, reference: str, part: str, metric: str) -> str:
    """A reference's score, out of 100, with one decimal."""
    value = manifest.load(dataset).references[reference].scores[part][metric]
    return f"{value if metric == 'composite' else 100 * value:.1f}"
