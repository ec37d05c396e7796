"""The processed table as CSV, Parquet and pickle, and pickles that hold something else."""

from __future__ import annotations

import builtins
import os
import pickle
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from otherminds.dataset_builders.debate import ddo, safe_pickle
from otherminds.dataset_builders.debate.safe_pickle import load_frame
from otherminds.dataset_builders.sources import SourceError
from tests.helpers import fictional_debates as fictional
from tests.helpers.fictional_debates import STATEMENTS, hashed

SPEC = ddo.DdoSpec(seed=1, salt="pepper", model="hashed")


def frame(**changes: Any) -> pd.DataFrame:
    """Two people with six beliefs each, one of whom has the name "NA"."""
    rows = [
        {
            "debate_key": f"key{place}",
            "debate_title": title,
            "username": name,
            "debate_date": f"2010-{place + 1:02d}-03",
            "position": side,
            "belief_statement": f"I {verb} with the following: {title}.",
        }
        for place, title in enumerate(STATEMENTS[:6])
        for name, side, verb in (("NA", "Pro", "agree"), ("007", "Con", "disagree"))
    ]
    found = pd.DataFrame(rows)
    for column, values in changes.items():
        found[column] = values
    return found


def saved(table: pd.DataFrame, path: Path) -> Path:
    if path.name.endswith(".parquet"):
        table.to_parquet(path)
    elif ".csv" in path.name:
        table.to_csv(path, index=False)
    else:
        table.to_pickle(path)
    return path


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.pkl", "t.pickle"])
def test_all_formats_give_the_same_rows(tmp_path: Path, name: str) -> None:
    built = ddo.build(saved(frame(), tmp_path / name), SPEC, embed=hashed)
    csv = ddo.build(saved(frame(), tmp_path / "other.csv"), SPEC, embed=hashed)
    assert ddo.content_hash(built.table) == ddo.content_hash(csv.table)
    # 6 beliefs each: 4 known, 2 asked for.
    assert built.table["n_known"].to_pylist() == [4] * 4
    assert sorted(built.table["agrees"].to_pylist()) == [False, False, True, True]
    # The table has no categories.
    assert set(built.table["category"].to_pylist()) == {"Miscellaneous"}
    assert built.funnel[2].counts["debates of an unknown category"] == 6
    assert all(audit.passed for audit in ddo.audit(built, SPEC, embed=hashed))


def test_columns_of_other_types(tmp_path: Path) -> None:
    dates = pd.to_datetime(frame()["debate_date"])
    table = frame(debate_date=dates, position=frame()["position"] == "Pro", category="Science")
    for name in ("t.parquet", "t.pkl"):
        built = ddo.build(saved(table, tmp_path / name), SPEC, embed=hashed)
        assert set(built.table["category"].to_pylist()) == {"Science"}
        assert built.table.num_rows == 4


def test_profiles_beside_the_table_are_used(tmp_path: Path) -> None:
    fictional.write_corpus(tmp_path, {}, {"007": fictional.user(gender="Male")})
    built = ddo.build(saved(frame(), tmp_path / "t.csv"), SPEC, embed=hashed)
    assert sum(map(len, built.table["background"].to_pylist())) == 2


def test_rows_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
    table = frame()
    table.loc[0, "debate_date"] = "some day"
    table.loc[2, "position"] = "Maybe"
    table.loc[1, "username"] = ""
    # Both still have five beliefs or more.
    table = pd.concat([table, frame().assign(debate_key="again")])
    built = ddo.build(saved(table, tmp_path / "t.csv"), SPEC, embed=hashed)
    assert {
        reason: count for reason, count in built.funnel[1].dropped.items() if "row" in reason
    } == {
        "row without a readable date": 1,
        "row without a readable name": 1,
        "row without a readable position": 1,
    }


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.pkl"])
def test_a_table_without_the_columns_is_refused_with_what_it_lacks(
    tmp_path: Path, name: str
) -> None:
    path = saved(frame().drop(columns=["username", "position"]), tmp_path / name)
    with pytest.raises(SourceError, match="lacks the columns username, position"):
        ddo.build(path, SPEC, embed=hashed)


def test_a_column_of_positions_that_statements_contradict_is_an_error(tmp_path: Path) -> None:
    path = saved(frame(position="Pro"), tmp_path / "t.csv")
    with pytest.raises(SourceError, match=r"of 12 positions .* 6 are said to be the opposite"):
        ddo.build(path, SPEC, embed=hashed)


def test_a_single_position_that_its_statement_contradicts_is_left_out(tmp_path: Path) -> None:
    table = frame()
    table.loc[3, "position"] = "Pro"  # of "007", who disagrees with the second statement
    built = ddo.build(saved(table, tmp_path / "t.csv"), SPEC, embed=hashed)
    dropped = {reason: n for step in built.funnel for reason, n in step.dropped.items()}
    assert dropped["row whose position contradicts its belief_statement"] == 1


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.pkl"])
def test_damaged_files(tmp_path: Path, name: str) -> None:
    path = saved(frame(), tmp_path / name)
    path.write_bytes(b"\xff\xfe\x00broken" + path.read_bytes()[30:90])
    with pytest.raises(SourceError, match=name):
        ddo.build(path, SPEC, embed=hashed)


class Code:
    """Pickles to a call of any function."""

    def __init__(self, function: Any, *words: Any) -> None:
        self._call = (function, words)

    def __reduce__(self) -> Any:
        return self._call


@pytest.mark.attack(
    "a pickle that runs code",
    outcome="refused; nothing is run",
    against="data",
)
@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
@pytest.mark.parametrize("function", [os.system, builtins.eval, builtins.getattr, pd.read_pickle])
def test_a_pickle_with_code_is_refused_and_the_code_not_run(
    tmp_path: Path, function: Any, protocol: int
) -> None:
    mark = tmp_path / "ran"
    words = {
        os.system: (f"touch {mark}",),
        builtins.eval: (f"open({str(mark)!r}, 'w')",),
        builtins.getattr: (pd.DataFrame, "eval"),
        pd.read_pickle: (str(tmp_path / "other.pkl"),),
    }[function]
    path = tmp_path / "t.pkl"
    # Hidden in the attributes of a real table.
    table = frame()
    table.attrs["note"] = Code(function, *words)
    path.write_bytes(pickle.dumps(table, protocol=protocol))
    with pytest.raises(SourceError, match=r"pickles can run code|which no plain table needs"):
        safe_pickle._read(path)
    assert not mark.exists()


@pytest.mark.attack(
    "a pickle that runs code",
    outcome="refused; nothing is run",
    against="data",
)
def test_a_method_of_an_allowed_class_is_not_allowed(tmp_path: Path) -> None:
    # What a hand-written pickle can ask for: DataFrame.to_csv by its dotted name.
    path = tmp_path / "t.pkl"
    path.write_bytes(b"\x80\x04\x8c\x06pandas\x8c\x10DataFrame.to_csv\x93.")
    with pytest.raises(SourceError, match=r"DataFrame\.to_csv"):
        safe_pickle._read(path)


@pytest.mark.parametrize("dtype", [object, "string[python]"])
@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_tables_of_plain_values_are_read(tmp_path: Path, dtype: Any, protocol: int) -> None:
    table = frame(n=range(12), share=0.5).astype({"username": dtype})
    table["when"] = pd.to_datetime(table["debate_date"])
    path = tmp_path / "t.pkl"
    path.write_bytes(pickle.dumps(table, protocol=protocol))
    pd.testing.assert_frame_equal(load_frame(path), table, check_dtype=False)


@pytest.mark.attack(
    "a pickle whose forged lengths crash its reader",
    outcome="refused; the reader is a process of its own",
    against="data",
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        # An array of two billion texts, and of a few more than there are.
        (b"K\x0cK\x00K\x00]", b"J\xff\xff\xff\x7fK\x00K\x00]"),
        (b"K\x0cK\x00K\x00]", b"K\x7fK\x00K\x00]"),
        (b"K\x0cK\x00K\x00]", b"J\xff\xff\xff\xffK\x00K\x00]"),
        # It begins behind its end.
        (b"K\x0cK\x00K\x00]", b"K\x0cK\x00J\xff\xff\xff\x7f]"),
        # The second text ends two thousand million bytes on.
        (b"\x04\0\0\0\0\0\0\0", b"\x04\0\0\x70\0\0\0\0"),
    ],
)
def test_a_pickle_with_forged_lengths_is_refused_and_crashes_nothing(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    table = frame().astype({"username": "string[pyarrow]"})
    assert len(table) == 12
    data = pickle.dumps(table, protocol=3)
    assert old in data
    path = tmp_path / "t.pkl"
    path.write_bytes(data.replace(old, new, 1))
    with pytest.raises(SourceError, match="cannot be read as a pickled table"):
        load_frame(path)


@pytest.mark.attack(
    "a file named like a module in the folder where a command is run",
    outcome="not run",
    against="data",
)
def test_modules_in_the_folder_of_a_download_are_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(frame(), tmp_path / "t.pkl")
    for name in ("pandas", "resource", "otherminds"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')\nraise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    assert len(load_frame(path)) == 12
    assert not (tmp_path / "ran").exists()


def test_a_pickle_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "t.pkl"
    path.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(SourceError, match="is a pickle of dict, not of a DataFrame"):
        load_frame(path)


def test_parquet_damaged_behind_its_sound_end_is_one_clear_error(tmp_path: Path) -> None:
    path = saved(frame(), tmp_path / "t.parquet")
    sound = path.read_bytes()
    facts = pq.ParquetFile(path).metadata.row_group(0).column(2)
    start, end = facts.dictionary_page_offset, facts.total_compressed_size
    for place in range(start, start + end):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 0xFF]) + sound[place + 1 :])
        try:
            ddo.build(path, SPEC, embed=hashed)
        except SourceError as error:
            told = str(error)
            if "is damaged" in told:
                break
    assert told.startswith(f"{path} is damaged (")
    assert told.endswith("). Get or write it again.")


def test_what_pandas_noted_in_parquet_need_not_be_sound(tmp_path: Path) -> None:
    path = saved(frame(), tmp_path / "t.parquet")
    expected = ddo.build(path, SPEC, embed=hashed).table
    table = pq.read_table(path)
    for noted in (b'{"columns": [{}]}', b"no JSON"):
        pq.write_table(table.replace_schema_metadata({b"pandas": noted}), path)
        assert ddo.build(path, SPEC, embed=hashed).table.equals(expected)


def test_a_refused_pickle_is_named_and_what_it_asks_for_is_shown_on_one_line(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.pkl"
    path.write_bytes(b"\x80\x04\x8c\x03o\ns\x8c\x06system\x93.")
    with pytest.raises(SourceError) as told:
        load_frame(path)
    assert str(told.value).startswith(f"{path}: The pickle asks for 'o\\ns.system', which")
    assert "\n" not in str(told.value)


def test_odd_names_of_columns_are_shown_on_one_line(tmp_path: Path) -> None:
    odd = {"a\nb": 1, "x" * 9_999: 2, **{f"c{number}": 3 for number in range(99)}}
    path = saved(frame(**odd).drop(columns="position"), tmp_path / "t.csv")
    with pytest.raises(
        SourceError, match=r"lacks the columns position\. .*, a\\nb, x{40}…,"
    ) as told:
        ddo.build(path, SPEC, embed=hashed)
    assert str(told.value).endswith("c32, ….")
