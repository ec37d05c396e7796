"""What errors show: no secret, and nothing that a terminal would act on."""

from __future__ import annotations

from otherminds.errors import OtherMindsError


def test_what_a_terminal_would_act_on_is_escaped() -> None:
    told = OtherMindsError("in 'a\x1b[2J\r\u202eb\ud800\ufeff.csv' – “Zoë”, 12 %")
    assert str(told) == "in 'a\\x1b[2J\\r\\u202eb\\ud800\\ufeff.csv' – “Zoë”, 12 %"
    # Steps of how to get data stand on lines of their own.
    assert str(OtherMindsError("one\ntwo")) == "one\ntwo"
