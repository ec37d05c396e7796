"""Wrong answers that two models share, beyond chance given how often each is wrong.

Right answers say little about who gave them: all good models give the same ones. Wrong answers do, and
they are judged from the answers and golds alone. A stratum s holds the n_s items that have the same
options and the same gold. Let the models give its option o to a_s(o) and b_s(o) items. These counts hold
all of their accuracies, and their liking for a letter or a number.

m      items of all strata with the same wrong answer
E      its mean if the answers of each stratum were dealt out to its items at random, the counts as they
       are: Σ_s Σ_{o ≠ gold} a_s(o)·b_s(o) / n_s
top    the most that the counts allow: Σ_s Σ_{o ≠ gold} min(a_s(o), b_s(o))
share  (m - E) / (top - E): 0 by chance, 1 for a copy, and about 1 - c for a copy with a share c of its
       answers changed at random, however good the model is
p      P(Poisson(E) ≥ m)

An answer that cannot be read is the same as any wrong one, and E and top count it so: who copies could
make wrong answers unreadable at no cost. Two of them are not the same, since honest models may refuse
one question for one reason.

In a stratum with one wrong option, m is hypergeometric, so a sum of independent indicators (Vatutin and
Mikhailov 1982), and so is the sum over strata. The upper tail of such a sum is below the binomial one
of the same mean (Hoeffding 1956), and that below the Poisson one for m ≥ E + 1 (Anderson and Samuels
1967): p is a bound. With more wrong options it is an approximation, since matches can come in pairs.

p guards against chance, as ω does in `near`, and the share is judged. Models that make the same mistakes
without having copied, because golds are noisy or items hard, are far from independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import pdtrc

SHARE = 0.8
"""A share of at least so much is flagged. Of published answers to two-option questions about 54 people
(arXiv:2510.15144), those of two models reach 0.68, and those of one model asked twice 0.86 and 1.00."""

CHANCE = 1e-7
"""The p that a flagged pair stays under. Of 1,000 independent models, 499,500 pairs, fewer than one in
ten sets has such a pair."""

Codes = NDArray[np.intp]


@dataclass(frozen=True)
class SharedErrors:
    """How two models share wrong answers, as the module says; `share` is NaN where top = E.

    n      items
    wrong  how many of these the one and the other have wrong, or have no answer to
    """

    n: int
    wrong: tuple[int, int]
    same: int
    by_chance: float
    top: int
    share: float
    p: float

    @property
    def is_improbable(self) -> bool:
        """Whether it is flagged."""
        return self.share >= SHARE and self.p <= CHANCE


def shared_errors(one: Codes, other: Codes, strata: Codes, golds: Codes) -> SharedErrors:
    """How two models share wrong answers.

    one, other  shape (N,): each item's answer as its place among the options, from 1; 0 for none
    strata      shape (N,): numbers from 0, equal for items of the same options and gold
    golds       shape (N,): the gold's place, from 1; any other number where it is no option
    """
    width = 1 + int(max(one.max(initial=0), other.max(initial=0)))
    shape = (1 + int(strata.max(initial=0)), width)
    a, b = (_wrong_counts(codes, strata, golds, shape) for codes in (one, other))
    (a_unread, a), (b_unread, b) = ((counts[:, 0], counts[:, 1:]) for counts in (a, b))
    sizes = np.maximum(np.bincount(strata, minlength=shape[0]), 1)
    pairs = (a * b).sum(axis=1) + a_unread * b.sum(axis=1) + a.sum(axis=1) * b_unread
    by_chance = float((pairs / sizes).sum())
    top = int(_top(a, b, a_unread, b_unread).sum())
    alike = (one == other) | (one == 0) | (other == 0)
    wrong_a, wrong_b = one != golds, other != golds
    same = int(np.count_nonzero(alike & wrong_a & wrong_b & ((one > 0) | (other > 0))))
    return SharedErrors(
        n=len(one),
        wrong=(int(np.count_nonzero(wrong_a)), int(np.count_nonzero(wrong_b))),
        same=same,
        by_chance=by_chance,
        top=top,
        share=(same - by_chance) / (top - by_chance) if top - by_chance > 1e-9 else math.nan,
        p=float(pdtrc(same - 1, by_chance)) if same else 1.0,
    )


def _top(a: Codes, b: Codes, a_unread: Codes, b_unread: Codes) -> Codes:
    """Shape (strata,): the most items with the same wrong answer, by how often each is given.

    a, b                shape (strata, options)
    a_unread, b_unread  shape (strata,)
    """
    equal = np.minimum(a, b).sum(axis=1)
    # What has no equal left can be the same as one that cannot be read. Two such that are left over make
    # one more of an equal pair, whose answers then stand with one each.
    with_a = np.minimum(a_unread, b.sum(axis=1) - equal)
    with_b = np.minimum(b_unread, a.sum(axis=1) - equal)
    more = np.minimum(np.minimum(a_unread - with_a, b_unread - with_b), equal)
    found: Codes = equal + with_a + with_b + more
    return found


def _wrong_counts(codes: Codes, strata: Codes, golds: Codes, shape: tuple[int, int]) -> Codes:
    """Shape (strata, 1 + options): the items that are not answered rightly, by the answer given."""
    wrong = codes != golds
    places = strata[wrong] * shape[1] + codes[wrong]
    return np.bincount(places, minlength=shape[0] * shape[1]).reshape(shape)
