"""The order of levels that a text states: rows with arrows, numbered lines, tables and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from otherminds.metrics.trust_game.levels import Levels, canonical_lines
from otherminds.metrics.trust_game.placed_levels import placed

_ARROWS = "\u279c\u2794\u279e\u27f6\u21e8\u27a1\u25b8\u25b6\u203a\u21a6\u2193"
_SAID = {
    **dict.fromkeys([">", ">>", ">>>", "\u227b", "\u226b"], "higher"),
    **dict.fromkeys(["<", "<<", "\u227a", "\u226a"], "lower"),
    **dict.fromkeys(["->", "-->", "=>", "\u2192", "\u27a4", "\u21d2", "\u00bb", *_ARROWS], "then"),
}
_SIGN = "|".join(sorted(map(re.escape, _SAID), key=len, reverse=True))
_LINK = re.compile(rf"[\s}}\])(]{{0,10}}(?P<sign>{_SIGN})[\s{{\[(]{{0,10}}")
_GOES_ON = re.compile(r"\s{0,3}(?:\([^()\n]{0,60}\)\s{0,3})?(?:[<>=\u2248\u2192\u227b\u227a~]|->)")
_GOES_BEFORE = re.compile(r"[<>=\u2248\u2192\u227b\u227a~]\s*$")
_REMARK = re.compile(r"\s*(?:\([^()]{0,60}\)|\[[^\[\]]{0,60}\])?\s*")


@dataclass(frozen=True)
class Chain:
    """Levels in a row with one sign between them.

    codes  as they are written
    sign   "higher" where each is said to be above the next, "lower" where below, "then" otherwise
    """

    codes: tuple[int, ...]
    sign: str


def last_chain(text: str, levels: Levels, *, is_listed: bool = False) -> Chain | None:
    """The last row of all levels, each once, that says which is higher.

    Levels with arrows or the like between them, in numbered lines, in a table with a column of ranks, in
    a sentence from "the most" to "the least" or with "then" between them, and two with "more than".

    is_listed  whether the text is said to be an order: then commas and lines are enough
    """
    plain = canonical_lines(text)
    chains = [*_arrows(plain, levels), *_numbered(plain, levels)]
    chains = chains or list(_numbered(_INLINE.sub("\n", plain), levels))
    chains = chains or [*_in_tables(plain, levels), *_in_sentences(plain, levels, is_listed)]
    chains = chains or [
        (one.end, Chain(one.codes, "higher" if one.is_value else "then"))
        for one in placed(plain, levels)
        if one.is_value or is_listed or _SIZE.search(plain)
    ]
    chains = chains or list(_first_line(plain, levels))
    return max(chains, key=lambda found: found[0])[1] if chains else None


def _arrows(text: str, levels: Levels) -> Iterator[tuple[int, Chain]]:
    found = list(levels.found_in(text))
    if len(levels) == 1:
        yield from ((end, Chain((code,), "then")) for code, _, end in found)
    row: list[int] = []
    signs: list[str] = []
    for place, ((code, _, end), (following, start, stop)) in enumerate(pairwise(found)):
        link = _linked(text, end, start)
        if link is None:
            row, signs = [], []
            continue
        row = [*(row or [code]), following]
        signs.append(link)
        if len(row) != len(levels) or len(set(signs)) > 1 or not levels.are_all(row):
            continue
        first = found[place + 2 - len(row)][1]
        if not _GOES_ON.match(text, stop) and not _GOES_BEFORE.search(
            text[max(0, first - 4) : first]
        ):
            yield stop, Chain(tuple(row), _SAID[link])


def _linked(text: str, end: int, start: int) -> str | None:
    """What the sign says that stands between two levels, perhaps after a remark; None for other text."""
    remark = _REMARK.match(text, end, start)
    link = _LINK.fullmatch(text, remark.end() if remark else end, start)
    return link["sign"] if link else None


_INLINE = re.compile(r"(?<=[^\s])[ ](?=\(?[1-9][.)]\s)")
_ITEM = re.compile(r"^\s*\(?(\d{1,2})[.):]\s*(.*)$")


def _numbered(text: str, levels: Levels) -> Iterator[tuple[int, Chain]]:
    """Rows of numbered lines that each begin with a level."""
    row: list[int] = []
    position = 0
    for line in text.split("\n"):
        item = _ITEM.match(line)
        position += len(line) + 1
        if item is None:
            continue
        first = next(levels.found_in(item[2]), None)
        number = int(item[1])
        if number == 1:
            row = []
        if first is None or first[1] > 0 or number != len(row) + 1:
            row = []
            continue
        row.append(first[0])
        if len(row) == len(levels) and levels.are_all(row):
            yield position, Chain(tuple(row), "then")


_RANK_COLUMN = re.compile(r"\s*(?:rank(?:ing|ed)?|place|position|#|no\.?|order)\s*")


def _in_tables(text: str, levels: Levels) -> Iterator[tuple[int, Chain]]:
    """Tables with a column of ranks from 1 on."""
    ranks: dict[int, int] = {}
    column: int | None = None
    position = 0
    for line in text.split("\n"):
        position += len(line) + 1
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) < 2:
            ranks, column = {}, None
            continue
        heads = [place for place, cell in enumerate(cells) if _RANK_COLUMN.fullmatch(cell)]
        if len(heads) == 1:
            ranks, column = {}, heads[0]
            continue
        if column is None or column >= len(cells) or not re.fullmatch(r"\d{1,2}\.?", cells[column]):
            continue
        named = [
            code
            for place, cell in enumerate(cells)
            if place != column and (code := levels.code(cell)) is not None
        ]
        if len(named) == 1:
            ranks[int(cells[column].rstrip("."))] = named[0]
        if sorted(ranks) == list(range(1, len(levels) + 1)):
            codes = [ranks[rank] for rank in sorted(ranks)]
            if levels.are_all(codes):
                yield position, Chain(tuple(codes), "then")


_TOP = r"(?:the\s)?(?:most|highest|top|largest|biggest|greatest|best|h\u00f6chsten?|meisten?)"
_BOTTOM = r"(?:the\s)?(?:least|lowest|bottom|smallest|fewest|worst|niedrigsten?|wenigsten?)"
_IS_TOP = re.compile(rf"\b{_TOP}\b(?!\slikely|\sof\b|\speople)")
_IS_BOTTOM = re.compile(rf"\b{_BOTTOM}\b(?!\slikely)")
_FALLS = re.compile(
    rf"\b(?:from|vom|von)\s(?:the\s)?{_TOP}\b[^.;\n]{{0,40}}\b(?:to|zum|down\sto)\s(?:the\s)?{_BOTTOM}\b"
    rf"|\b{_TOP}\s(?:\w+\s)?to\s{_BOTTOM}\b|\bdescending\b|\b{_TOP}\s(?:first|at\sthe\stop)\b"
    rf"|\b(?:start(?:ing|s)?|begin(?:ning|s)?)\s(?:with|from|at)\s(?:\w+\s){{0,4}}{_TOP}\b"
    r"|\b(?:falls?|drops?|declines?|decreases?|shrinks?|goes\sdown)\s(?:with|at)\s(?:every|each)\b"
)
_RISES = re.compile(
    rf"\b(?:from|vom|von)\s(?:the\s)?{_BOTTOM}\b[^.;\n]{{0,40}}\b(?:to|zum|up\sto)\s(?:the\s)?{_TOP}\b"
    rf"|\b{_BOTTOM}\s(?:\w+\s)?to\s{_TOP}\b|\bascending\b|\b{_BOTTOM}\sfirst\b"
    rf"|\b(?:start(?:ing|s)?|begin(?:ning|s)?)\s(?:with|from|at)\s(?:\w+\s){{0,4}}{_BOTTOM}\b"
    r"|\b(?:rises?|climbs?|grows?|increases?|goes\sup)\s(?:with|at)\s(?:every|each)\b"
)
_NO_ORDER = re.compile(
    r"\b(?:not|no|never|cannot|or|versus|against|equal|equally|same|tied?|ties|between|although|whether"
    r"|if|might|may|could|doubt|unlike|except|asked|ask|available|options?|given|question|task"
    r"|you|want|wanted|please)\b|n't\b|\bvs\b|[=?]"
)
_NEXT = re.compile(
    r"(?:[\s,;>|\u2192:-]|\.\s|\b(?:all|then|next|followed|by|after|that|and|second|third|fourth|fifth|sixth"
    r"|finally|last|lastly|comes?|come|would|be|are|is|the|those|people|aged|adults|with|of|in|to"
    r"|danach|dann|gefolgt|von|und|zum|schluss|zuletzt|schlie\u00dflich|ones|group|groups|folks"
    r"|respondents|at|first|least|most|lowest|highest|bottom|top|place|closely|who|closest|behind"
    r"|\((?:highest|lowest|most|least|top|bottom)\)|give|gives|giving|send|sends|trust|trusting|puis|ensuite|enfin|luego|despu\u00e9s|y|et)\b)*"
)
_COMMAS = re.compile(r"(?:[\s,;/|-]|\b(?:and|then)\b|#[^\n]*\n|\([^()\n]{0,80}\)|\b\d{1,2}[.)]\s)*")
_NOT_AS = re.compile(
    r"[^.;\n]{0,40}?(?:\bnot\b|n't\b|\bless\b)[^.;\n]{0,30}?\bas\s(?:much|many|generous(?:ly)?|trusting)"
    r"\sas\b[^.;\n]{0,20}"
)
_MORE = re.compile(
    r"[^.;\n]{0,60}?\b(?:(?P<more>more|higher|larger|greater|bigger)|(?P<less>less|lower|fewer|smaller))\b"
    r"[^.;\n]{0,60}?\bthan\b[^.;\n]{0,30}"
    r"|[^.;\n]{0,40}?\b(?:(?P<above>ahead\sof|above|exceed|outrank|outgive)|(?P<below>below|behind))"
    r"\b[^.;\n]{0,30}"
)
_NEAR = 160
# "High beats low, which in turn beats moderate", "ahead of", "trails".
_ASIDE = r"[^.;\n]{0,12}?(?:\s?\bwhich\b(?:\s?-[^-\n]{0,40}-|\sin\sturn|,[^,\n]{0,40},)?)?\s?"
_BEATS = re.compile(
    rf"{_ASIDE}(?:\b(?:is|are|comes?|stands?|ranks?|just|slightly|well|trust|people|group|groups|ones"
    rf"|conscientiousness)\s)*(?:beats?|tops?|outranks?|outgives?|exceeds?|edges?\sout|leads|ahead\sof"
    r"|above)\s[^.;,\n]{0,12}"
)
_TRAILS = re.compile(
    rf"{_ASIDE}(?:\b(?:is|are|comes?|stands?|ranks?|just|slightly|well|trust|people|group|groups|ones)\s)*"
    r"(?:trails?|lags?(?:\sbehind)?|falls?\s(?:below|behind)|below|behind)\s[^.;,\n]{0,12}"
)


def _in_sentences(text: str, levels: Levels, is_listed: bool) -> Iterator[tuple[int, Chain]]:
    """Levels one after another that are said to go from the most to the least, or back."""
    found = list(levels.found_in(text))
    count = len(levels)
    compared: list[tuple[int, Chain]] = []
    for place in range(len(found) - count + 1):
        run = found[place : place + count]
        codes = tuple(code for code, _, _ in run)
        if not levels.are_all(codes):
            continue
        between = [text[end:start] for (_, _, end), (_, start, _) in pairwise(run)]
        if any(len(one) > _NEAR for one in between):
            continue
        before = _clause_before(text, run[0][1])
        after = _beside(text[run[-1][2] : run[-1][2] + 60])
        sign = _sign(between, before, after, text[max(0, run[0][1] - _NEAR) : run[0][1]], is_listed)
        if sign is not None:
            yield run[-1][2], Chain(codes, sign)
        elif count == 2 and (sign := _compared(between[0], before)) is not None:
            compared.append((run[-1][2], Chain(codes, sign)))
    highest = {one.codes[0 if one.sign == "higher" else 1] for _, one in compared}
    if len(highest) == 1:
        yield from compared


_SIZE = re.compile(r"\b(?:small|medium|large)\b")


def _first_line(text: str, levels: Levels) -> Iterator[tuple[int, Chain]]:
    """The levels in a reply's first sentence or line, which has no other word, before effect sizes."""
    found = list(levels.found_in(text))[: len(levels)]
    codes = [code for code, _, _ in found]
    is_own = levels.are_all(codes) and codes != sorted(codes)
    if not is_own or len(codes) < 2 or text[: found[0][1]].strip(" (["):
        return
    between = [text[end:start] for (_, _, end), (_, start, _) in pairwise(found)]
    is_answer = _SIZE.search(text, end := found[-1][2]) is not None
    is_whole = re.match(r"\s{0,3}[)\]]?\s{0,3}(?:[.;\n]|$)", text[end : end + 9])
    if is_answer and is_whole and all(map(_COMMAS.fullmatch, between)):
        yield end, Chain(tuple(codes), "then")


def _clause_before(text: str, position: int) -> str:
    near = text[max(0, position - _NEAR) : position]
    return re.split(r"[.;!?]\s|\n\s*\n", near)[-1]


def _beside(text: str) -> str:
    """What stands behind a level: words up to a comma or the like, or a remark in brackets."""
    if remark := re.match(r"\s{0,2}\(([^()\n]{0,40})\)", text):
        return remark[1]
    return re.split(r"[.;,(\n]", text)[0]


def _sign(
    between: Sequence[str], before: str, after: str, earlier: str, is_listed: bool
) -> str | None:
    """What the words around a row of levels say of its direction; None where it is no order."""
    if is_listed and all(_COMMAS.fullmatch(one) for one in between):
        return "then"
    if any(map(_NO_ORDER.search, [before, *between, after])):
        return None
    for links, said in ((_BEATS, "higher"), (_TRAILS, "lower")):
        if all(map(links.fullmatch, between)):
            return said
    are_linked = all(map(_NEXT.fullmatch, between))
    if are_linked or all("\n" in one for one in between):
        falls, rises = _FALLS.search(earlier[-_NEAR:]), _RISES.search(earlier[-_NEAR:])
        direction = falls or rises
        is_denied = direction and _DENIAL.search(earlier[-_NEAR:], direction.end())
        if (falls is None) != (rises is None) and not is_denied:
            return "higher" if falls else "lower"
    first = " | ".join([re.split(r"[.;,]", before)[-1], _beside(between[0])])
    last = " | ".join([re.split(r"[.;,\n]", between[-1])[-1], after])
    if _IS_TOP.search(first) and _IS_BOTTOM.search(last):
        return "higher"
    if _IS_BOTTOM.search(first) and _IS_TOP.search(last):
        return "lower"
    if not are_linked or len(between) < 2:
        return None
    # "18-29 the most, then 30-44, then 45-64": the others follow.
    if _IS_TOP.search(first) and not _IS_BOTTOM.search(first) and _FOLLOW.search(" ".join(between)):
        return "higher"
    if _IS_BOTTOM.search(first) and not _IS_TOP.search(first) and _FOLLOW.search(" ".join(between)):
        return "lower"
    # "18-29, then 30-44, then 45-64 at the bottom".
    if not _FOLLOW.search(" ".join(between)) or _RISES.search(earlier) or _FALLS.search(earlier):
        return None
    if _AT_BOTTOM.search(last) and not _AT_TOP.search(last):
        return "higher"
    return "lower" if _AT_TOP.search(last) and not _AT_BOTTOM.search(last) else None


_AT_TOP = re.compile(r"\bat\sthe\s(?:very\s)?top\b|\bthe\smost\b")
_AT_BOTTOM = re.compile(r"\bat\sthe\s(?:very\s)?bottom\b|\bthe\sleast\b")
_DENIAL = re.compile(r"\b(?:not|cannot)\b|n't\b")
_FOLLOW = re.compile(r"\b(?:then|next|followed\sby|after\sthat|danach|dann|gefolgt)\b")


def _compared(between: str, before: str) -> str | None:
    """Which of two levels is said to be higher."""
    if _NOT_AS.fullmatch(between) and not _NO_ORDER.search(before):
        return "lower"
    said = _MORE.fullmatch(between)
    if said is None or _NO_ORDER.search(before) or _NO_ORDER.search(between):
        return None
    return "higher" if said["more"] or said["above"] else "lower"
