"""What [model] of a topic says, looked at before anything is fetched or learned: names, kinds and ranges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, NamedTuple

from focused.errors import TopicError

OFFERED = {"self", "vocabulary", "examples", "query", "saved", "model"}  # by whoever makes the model
SHARES = {"threshold", "certainty"}  # of a relevance, 0 to 1


class Sort(NamedTuple):
    name: str
    has: Callable[[object], bool]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


_NUMBER, _TEXTS = Sort("a number", _is_number), Sort('a list of texts, ["first", "second"]', _are_texts)
SORTS = {  # by the annotation; what is annotated in another way is left to the model
    "float": _NUMBER,
    "float | None": _NUMBER,
    "float | str": Sort("a number or 'fit'", lambda value: _is_number(value) or value == "fit"),
    "int": Sort("a whole number, 0 or more", _is_whole),
    "bool": Sort("true or false", lambda value: isinstance(value, bool)),
    "Sequence[str]": _TEXTS,
    "str | Sequence[str]": Sort(_TEXTS.name, lambda value: isinstance(value, str) or _are_texts(value)),
}


def check(made: Any, arguments: Mapping[str, Any], where: str) -> None:
    """Raises at the first that a model of this class does not take, or not like this."""
    known = _parameters(made)
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in known.values()):
        return
    for name, value in arguments.items():
        if name not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise TopicError(f"{name} in {where} is no argument of its kind: {takes}.")
        sort = SORTS.get(str(known[name].annotation))
        if sort and not sort.has(value):
            raise TopicError(f"{name} = {value!r} in {where} is not {sort.name}: correct it there.")
        if name in SHARES and _is_number(value) and not 0 <= value <= 1:
            raise TopicError(f"{name} = {value!r} in {where} is no relevance: give a number from 0 to 1.")


def _parameters(made: Any) -> dict[str, Parameter]:
    """Of the class, and of what teaches it."""
    taught = signature(made.fit).parameters if hasattr(made, "fit") else {}
    return {name: known for name, known in {**signature(made).parameters, **taught}.items() if name not in OFFERED}
