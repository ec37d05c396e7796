"""Tables about people: what is wrong with one is said on one line, however odd the file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.dataset_builders import people_table


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('"a\nb",c\n1,2\n', r"people\.csv needs a header .*it has: 'a\\nb', 'c'"),
        (",".join(f"c{n}" for n in range(500)) + "\n", "'c19', …\\.$"),
        ("x" * 9_999 + ",b\n", f"has: '{'x' * 40}…', 'b'"),
        ('participant_id,a\n"P\n1",2\n"P\n1",3\n', r"row 5, .*'P\\n1' is given twice"),
    ],
    ids=["lines", "many", "long", "twice"],
)
def test_messages_show_the_beginning_of_what_is_wrong(
    content: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "people.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as told:
        people_table.read(path)
    assert "\n" not in str(told.value)
