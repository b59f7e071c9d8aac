"""Small faults for a Python source, one at a time, each as an edit of a few characters.

Annotations, decorators, docstrings and the insides of f-strings are left alone, and so are tables of words
at module level: what stands in them is data.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),  # codespell:ignore
}
_COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
}
_CALLED = {
    "any": "all",
    "all": "any",
    "min": "max",
    "max": "min",
    "startswith": "endswith",
    "bisect_right": "bisect_left",
    "partition": "rpartition",
    "union": "intersection",
}
_PEELED = frozenset({"strip", "casefold", "lower"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the bytes from `start` to `end` of a file replaced."""

    file: str
    function: str
    """Qualified name; `<module>` outside any function."""
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str
    nth: int = 1
    """Tells apart the same edits in one function."""

    @property
    def key(self) -> str:
        """A name that stays when lines move."""
        edit = f"{_short(self.before)} → {_short(self.after)}"
        return f"{self.file}::{self.function}::{self.kind}::{edit}" + (f" #{self.nth}" * (self.nth > 1))

    def applied(self, source: bytes) -> bytes:
        """The source with the fault."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def mutants(
    source: bytes, file: str, functions: frozenset[str] = frozenset(), enums: Mapping[str, Sequence[str]] = {}
) -> list[Mutant]:
    """All mutants of a source, in the order of the text.

    Args:
        source: Python in UTF-8.
        file: its name, for the keys.
        functions: qualified names to keep to, `<module>` among them; all when empty.
        enums: members of the enumerations whose members are exchanged.

    """
    walk = _Walk(source, file, enums)
    walk.visit(ast.parse(source))
    found = sorted(walk.found, key=lambda one: (one.start, one.end, one.after))
    seen: Counter[str] = Counter()
    numbered = []
    for one in found:
        seen[one.key] += 1
        numbered.append(replace(one, nth=seen[one.key]))
    return [one for one in numbered if not functions or one.function in functions]


def members(source: bytes) -> dict[str, tuple[str, ...]]:
    """The enumerations of a source with their members."""
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    return {
        node.name: tuple(ast.unparse(line.targets[0]) for line in node.body if isinstance(line, ast.Assign))
        for node in classes
    }


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:69]}…"


class _Walk(ast.NodeVisitor):
    """Goes through a module and collects its mutants."""

    def __init__(self, source: bytes, file: str, enums: Mapping[str, Sequence[str]]) -> None:
        self.source, self.file, self.enums = source, file, enums
        self.found: list[Mutant] = []
        self.scope: list[str] = []
        self.inside = 0
        self.known: set[str] = set()
        lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, (ast.expr, ast.stmt))
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def edit(self, kind: str, start: int, end: int, after: str) -> None:
        before = self.source[start:end].decode()
        line = self.source[:start].count(b"\n") + 1
        name = ".".join(self.scope) if self.inside else "<module>"
        self.found.append(Mutant(self.file, name, line, kind, start, end, before, after))

    def put(self, kind: str, node: ast.AST, after: str) -> None:
        self.edit(kind, *self.span(node), after)

    def between(self, kind: str, left: ast.expr, right: ast.expr, swap: tuple[str, str]) -> None:
        """Exchange the operator that stands between two operands."""
        start, end = self.span(left)[1], self.span(right)[0]
        sign = re.escape(swap[0]).replace(r"\ ", r"\s+")
        word = rf"\b{sign}\b" if swap[0][0].isalpha() else sign
        if found := re.search(word.encode(), self.source[start:end]):
            self.edit(kind, start + found.start(), start + found.end(), swap[1])

    def condition(self, test: ast.expr, *outcomes: str) -> None:
        """Fix a condition, unless it gives a name to something or is for the type checker alone."""
        names = any(isinstance(node, ast.NamedExpr) for node in ast.walk(test))
        if not names and ast.unparse(test) != "TYPE_CHECKING":
            for outcome in outcomes:
                self.put("condition", test, outcome)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.scope.append(node.name)
        self.inside += 1
        known, self.known = self.known, set()
        self.days(node)
        for part in (*node.args.defaults, *node.args.kw_defaults, *node.body):
            if part is not None:
                self.visit(part)
        self.known = known
        self.inside -= 1
        self.scope.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.scope.append(node.name)
        for part in node.body:
            self.visit(part)
        self.scope.pop()

    def days(self, node: ast.FunctionDef) -> None:
        """Move each day that a function is given by one, both ways."""
        arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        for one in arguments:
            kind = ast.unparse(one.annotation) if one.annotation else ""
            if kind in {"date", "date | None"} and body:
                start = self.span(body[0])[0]
                for days in (1, -1):
                    moved = f"{one.arg} + __import__('datetime').timedelta({days})"
                    line = f"{one.arg} = {one.arg} and {moved}\n{' ' * body[0].col_offset}"
                    self.edit("day", start, start, line)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.known.add(node.target.id)
        if node.value is not None:
            self.assigned(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)}
        if self.inside and (not isinstance(node.targets[0], (ast.Name, ast.Tuple)) or names <= self.known):
            self.put("statement", node, "pass")
        self.known |= names
        self.assigned(node.value)

    def assigned(self, value: ast.expr) -> None:
        if self.inside or not isinstance(value, (ast.Dict, ast.Set, ast.List, ast.Tuple)):
            self.visit(value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.put("statement", node, "pass")
        self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.put("statement", node, "pass")
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.put("statement", node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            if not (isinstance(node.value, ast.Constant) and node.value.value in {None, True, False}):
                self.put("return", node.value, "None")
            self.visit(node.value)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.put("loop", node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self.put("loop", node, "continue")

    def visit_For(self, node: ast.For) -> None:
        self.put("loop", node.iter, "()")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self.condition(node.test, "True", "False")
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self.condition(node.test, "False")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.condition(node.test, "True", "False")
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.condition(test, "True")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, sign, right in zip(
            [node.left, *node.comparators], node.ops, node.comparators, strict=False
        ):
            self.between("compare", left, right, _COMPARED[type(sign)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        swap = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.between("logic", left, right, swap)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in _COMPUTED:
            self.between("arithmetic", node.left, node.right, _COMPUTED[type(node.op)])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.put("logic", node, f"bool({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        start, end = self.span(node.func)
        name = ast.unparse(node.func).rpartition(".")[2]
        if name in _CALLED:
            self.edit("call", end - len(name), end, _CALLED[name])
        if name == "sorted" and not node.keywords:
            self.edit("call", start, end, "list")
        if name in _PEELED and isinstance(node.func, ast.Attribute) and not node.args:
            self.put("call", node, self.text(node.func.value))
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        values = self.enums.get(ast.unparse(node.value), ())
        if node.attr in values:
            other = values[(values.index(node.attr) + 1) % len(values)]
            self.put("member", node, f"{ast.unparse(node.value)}.{other}")
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        if self.inside:
            self.put("text", node, '""')

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.put("constant", node, str(not value))
        elif isinstance(value, int):
            self.put("constant", node, str(value + 1))
        elif isinstance(value, float):
            self.put("constant", node, str(value * 1.1 if value else 1.0))
        elif isinstance(value, str):
            self.put("text", node, '""' if value else '"XX"')

    def text(self, node: ast.expr) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()
