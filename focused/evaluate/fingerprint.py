"""Which code made a number: what is remembered of a crawl counts only as long as that code is the same.

A module stands for itself and for all of ours that it imports. Comments, docstrings and layout do not count; data files
beside the modules do.
"""

from __future__ import annotations

import ast
import hashlib
import subprocess
from collections.abc import Iterable
from datetime import date
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("focused", "middlewares", "models", "spiders")
# What runs in every crawl, some of it loaded by name and imported by nobody.
CRAWL = (
    *("focused.scheduler", "spiders.topic", "middlewares.relevance", "middlewares.links"),
    *("middlewares.egress", "middlewares.robots", "middlewares.download"),
)
# What a crawl by one worker on a frozen web imports and never calls; with all that only these import.
IDLE = frozenset((
    *("focused.shared_crawl", "focused.agreement", "focused.search.online"),
    *(f"focused.store.{name}" for name in ("postgres", "team", "shared_reading")),
))  # fmt: skip


def made() -> str:
    """When and by which code a page of numbers was made."""
    git = [
        "git",
        "-C",
        str(Path(__file__).parent),
        "describe",
        "--always",
        "--dirty= with changes that were not committed",
    ]
    try:
        commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):  # not a checkout
        commit = "unknown"
    return f"{date.today():%Y-%m-%d}, commit {commit}, code {fingerprint(*CRAWL)}"


class Source(NamedTuple):
    digest: str
    imports: tuple[str, ...]


@cache
def fingerprint(*modules: str) -> str:
    """Of these modules and everything of ours below them."""
    whole = hashlib.blake2b(digest_size=8)
    for name in sorted(below(modules)):
        whole.update(f"{name} {_source(name).digest}\n".encode())
    return whole.hexdigest()


def below(modules: Iterable[str]) -> set[str]:
    """Names of these modules and of all of ours that they import, at any depth, but for those that stay idle."""
    found: set[str] = set()
    waiting = [name for name in modules if is_ours(name)]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in IDLE:
            found.add(name)
            waiting += _source(name).imports
    return found


@cache
def is_ours(name: str) -> bool:
    """Whether it is a module of one of the four packages."""
    if name.partition(".")[0] not in PACKAGES:
        return False
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # a name inside a module, not a module
        return False
    return spec is not None and spec.origin is not None and spec.origin.endswith(".py")


@cache
def _source(name: str) -> Source:
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None
    path = Path(spec.origin)
    tree = ast.parse(path.read_bytes())
    imports = tuple(sorted({found for node in ast.walk(tree) for found in _imported(node) if is_ours(found)}))
    whole = hashlib.blake2b(ast.dump(_bare(tree)).encode())
    for data in sorted((path.parent / "data").glob("*")):
        whole.update(data.read_bytes())
    return Source(whole.hexdigest(), imports)


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def _bare(tree: ast.Module) -> ast.Module:
    """Without docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    return tree
