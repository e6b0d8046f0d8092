"""Turn a pydantic ValidationError into one InputError: key path, value, what was expected, the nearest valid value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError

from pompeii_sim.errors import InputError, nearest, together

_KINDS = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "finite_number": "a finite number",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "at least {}"),
    "greater_than": ("gt", "more than {}"),
    "less_than_equal": ("le", "at most {}"),
    "less_than": ("lt", "less than {}"),
    "multiple_of": ("multiple_of", "a multiple of {}"),
    "too_short": ("min_length", "at least {} entries"),
    "too_long": ("max_length", "at most {} entries"),
    "string_too_short": ("min_length", "at least {} characters"),
    "string_too_long": ("max_length", "at most {} characters"),
}


def validate(model: type[BaseModel], value: Mapping[str, Any], where: str) -> BaseModel:
    """Build a model from a table.

    Parameters
    ----------
    model
        The game's strict model.
    value
        The table.
    where
        Key path of the table, such as ``rules`` or ``seats.0``.

    Raises
    ------
    InputError
        For everything that is wrong, in the order of the table.
    """
    try:
        return model.model_validate(dict(value))
    except ValidationError as error:
        raise together(complaints(error, model, value, where)) from None


def complaints(error: ValidationError, model: type[BaseModel], value: Any, where: str) -> list[InputError]:
    """Return an InputError for each key that a ValidationError is about."""
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for item in error.errors(include_url=False):
        groups.setdefault(_place(item["loc"], value, item["type"]), []).append(item)
    return [_complaint(place, items, model, value, where) for place, items in groups.items()]


def _complaint(
    place: tuple[Any, ...], items: Sequence[Any], model: type[BaseModel], value: Any, where: str
) -> InputError:
    path = ".".join([where, *map(str, place)]) if where else ".".join(map(str, place))
    for item in items:
        kind = item["type"]
        if kind == "extra_forbidden":
            parent = _model_at(model, place[:-1])
            names = list(parent.model_fields) if parent else []
            hint = nearest(str(place[-1]), names) if names else ""
            return InputError(f"unknown key {place[-1]!r}", where=path, hint=hint)
        if kind == "missing":
            return InputError(f"{place[-1]!r} is missing", where=path)
        if kind in ("value_error", "assertion_error"):
            cause = item.get("ctx", {}).get("error")
            if isinstance(cause, InputError):
                at = f"{path}: {cause.where}" if cause.where else path
                return InputError(cause.what, where=at, hint=cause.hint)
            return InputError(str(cause if cause is not None else item["msg"]), where=path)
    given = _at(value, place)
    choices = [c for item in items if item["type"] == "literal_error" for c in _literals(model, place)]
    expected = list(dict.fromkeys(_expected(item) for item in items if item["type"] != "literal_error"))
    if choices and isinstance(given, str):
        hint = nearest(given, [str(c) for c in choices])
        if expected and hint.startswith("valid: "):
            hint = f"{hint}, or {' or '.join(expected)}"
    else:
        words = [repr(c) for c in dict.fromkeys(choices)] + expected
        hint = f"it must be {' or '.join(words)}"
    if all("[key]" in item["loc"] for item in items):
        return InputError(f"the key {str(place[-1])!r} is not valid", where=path, hint=hint)
    return InputError(f"{_shown(given)} is not valid", where=path, hint=hint)


def _place(loc: tuple[int | str, ...], value: Any, kind: str) -> tuple[Any, ...]:
    """Keep the parts of a pydantic location that are keys of the input (it adds names of union members)."""
    place: list[Any] = []
    for part in loc:
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, Mapping) and str(part) in value:
            value = value[str(part)]
        elif isinstance(value, Sequence) and not isinstance(value, str) and isinstance(part, int) and part < len(value):
            value = value[part]
        elif kind == "missing" and part == loc[-1]:
            pass
        else:
            continue
        place.append(part)
    return tuple(place)


def _at(value: Any, place: Sequence[Any]) -> Any:
    for part in place:
        value = value[part] if not isinstance(value, Mapping) or part in value else value[str(part)]
    return value


def _expected(item: Any) -> str:
    kind = str(item["type"])
    if kind in _KINDS:
        return _KINDS[kind]
    if kind in _BOUNDS:
        key, text = _BOUNDS[kind]
        return text.format(item.get("ctx", {}).get(key))
    text = str(item["msg"])
    return text[:1].lower() + text[1:]


def _model_at(model: type[BaseModel], place: Sequence[Any]) -> type[BaseModel] | None:
    """Return the model that the table at `place` is checked by, if it is one."""
    current: Any = model
    for part in place:
        found = _models(current)
        if found and isinstance(part, str) and part in found[0].model_fields:
            current = found[0].model_fields[part].annotation
        else:
            arguments = get_args(current)
            current = arguments[-1] if arguments else None
    found = _models(current)
    return found[0] if found else None


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if get_origin(annotation) in (list, tuple, dict):
        return []
    return [m for argument in get_args(annotation) for m in _models(argument)]


def _literals(model: type[BaseModel], place: Sequence[Any]) -> list[Any]:
    """Return the choices of the Literals in the annotation of the field at `place`."""
    for depth in range(len(place) - 1, -1, -1):
        parent = _model_at(model, place[:depth])
        if parent is not None and place[depth] in parent.model_fields:
            return _choices(parent.model_fields[place[depth]].annotation)
    return []


def _choices(annotation: Any) -> list[Any]:
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [choice for argument in get_args(annotation) for choice in _choices(argument)]


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
