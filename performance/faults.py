"""One-line faults in Python source: what a slip of the hand would change.

Each is a small change of one expression or statement that stands on one line: an operator swapped, a
comparison flipped, a constant changed, a condition negated, the value of a `return` dropped, two
arguments swapped. Type annotations, docstrings and what only type checkers read are left alone.
"""

from __future__ import annotations

import ast
import copy
import random
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
}
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_STATEMENTS: dict[type[ast.stmt], type[ast.stmt]] = {
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}


@dataclass(frozen=True, order=True)
class Fault:
    """A change of one line: `line` and `column` count as in `ast`, from 1 and from 0 (UTF-8 bytes)."""

    line: int
    column: int
    end: int
    kind: str
    after: str

    def apply(self, source: str) -> str:
        """The source with this fault in it."""
        lines = source.splitlines(keepends=True)
        line = lines[self.line - 1].encode()
        changed = line[: self.column] + self.after.encode() + line[self.end :]
        lines[self.line - 1] = changed.decode()
        return "".join(lines)


def faults(source: str) -> list[Fault]:
    """All faults of a module, in order, each of which parses and means something else."""
    tree = ast.parse(source)
    plain = ast.dump(tree)
    found = set()
    for node, replacement, kind in _changes(tree):
        if node.lineno != node.end_lineno or node.end_col_offset is None:
            continue
        text = ast.unparse(replacement)
        if isinstance(replacement, ast.expr) and not isinstance(replacement, ast.Constant):
            text = f"({text})"
        if "\n" in text:
            continue
        one = Fault(node.lineno, node.col_offset, node.end_col_offset, kind, text)
        try:
            changes = ast.dump(ast.parse(one.apply(source))) != plain
        except SyntaxError:
            continue
        if changes:
            found.add(one)
    return sorted(found)


def in_functions(source: str) -> set[int]:
    """The lines in bodies of functions: all others run when the module is imported."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for one in node.body:
                found.update(range(one.lineno, (one.end_lineno or one.lineno) + 1))
    return found


def draw(found: Collection[Fault], rng: random.Random) -> dict[int, Fault]:
    """One fault for each line that has any."""
    by_line = defaultdict(list)
    for one in sorted(found):
        by_line[one.line].append(one)
    return {line: rng.choice(ones) for line, ones in sorted(by_line.items())}


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST, str]]:
    """What may be replaced, by what, and the name of that kind of fault."""
    left_alone = {id(inner) for outer in _unread(tree) for inner in ast.walk(outer)}
    for node in ast.walk(tree):
        if id(node) in left_alone:
            continue
        match node:
            case ast.BinOp(op=operator) if type(operator) in _OPERATORS:
                if not _is_text(node.left):
                    yield node, _with(node, op=_OPERATORS[type(operator)]()), "operator swapped"
            case ast.AugAssign(op=operator) if type(operator) in _OPERATORS:
                yield node, _with(node, op=_OPERATORS[type(operator)]()), "operator swapped"
            case ast.BoolOp(op=operator):
                other = ast.Or() if isinstance(operator, ast.And) else ast.And()
                yield node, _with(node, op=other), "operator swapped"
            case ast.Compare(ops=[first, *rest]):
                flipped = [_COMPARISONS[type(first)](), *rest]
                yield node, _with(node, ops=flipped), "comparison flipped"
            case ast.Constant(value=value) if isinstance(value, bool):
                yield node, ast.Constant(not value), "constant changed"
            case ast.Constant(value=int() | float() as value):
                yield node, ast.Constant(value + 1), "constant changed"
            case ast.UnaryOp(op=ast.Not()):
                yield node, node.operand, "negation dropped"
            case ast.UnaryOp(op=ast.USub()):
                yield node, node.operand, "sign dropped"
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield node, ast.Return(ast.Constant(None)), "return value dropped"
            case ast.Call(args=[first, second, *rest], keywords=keywords):
                if not any(isinstance(one, ast.Starred) for one in (first, second)):
                    swapped = ast.Call(node.func, [second, first, *rest], keywords)
                    yield node, swapped, "arguments swapped"
            case ast.Break() | ast.Continue():
                yield node, _STATEMENTS[type(node)](), "statement swapped"
        # A condition is met twice: for itself, and as part of what it decides.
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield test, ast.UnaryOp(ast.Not(), test), "condition negated"
            case ast.comprehension(ifs=[test, *_]):
                yield test, ast.UnaryOp(ast.Not(), test), "condition negated"


def _unread(tree: ast.Module) -> Iterator[ast.AST]:
    """Parts that no program reads, and parts of f-strings, whose places Python 3.11 does not know."""
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(annotation=annotation):
                yield annotation
            case ast.FunctionDef(args=arguments, returns=returns):
                yield from (one.annotation for one in _arguments(arguments) if one.annotation)
                if returns is not None:
                    yield returns
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield node
            case ast.Call(func=ast.Name(id="TypeVar" | "cast" | "NewType")) | ast.JoinedStr():
                yield node
            case ast.Call(func=ast.Name(id="zip"), keywords=keywords):
                # It matters to callers that break its promise alone.
                yield from (one.value for one in keywords if one.arg == "strict")


def _arguments(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (one for one in (arguments.vararg, arguments.kwarg) if one is not None)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _is_text(node: ast.expr) -> bool:
    """Text and its formatting: `"…" % x` and `"…" + x` fail at once with any other operator."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
