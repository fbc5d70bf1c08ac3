"""Records of the documents from and to JSON. A field that is None is left out of a request."""

import dataclasses
import datetime
import sys
import typing
from typing import Any, Dict, Tuple

#: Of each record the type of every field, and its name in JSON.
_fields: Dict[type, Dict[str, Tuple[str, Any]]] = {}


def to_json(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        parts = ((field.metadata["name"], getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: to_json(part) for name, part in parts if part is not None}
    if isinstance(value, dict):
        return {name: to_json(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(part) for part in value]
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise TypeError(f"{value} has no time zone")
        return value.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value


def from_json(kind: Any, value: Any) -> Any:
    """Members that the client does not know are left out: a later server may send more."""
    if value is None or kind is Any:
        return value
    origin = typing.get_origin(kind)
    if origin is typing.Union:
        return from_json(typing.get_args(kind)[0], value)
    if origin is list:
        (part,) = typing.get_args(kind)
        return [from_json(part, item) for item in value]
    if origin is dict:
        return {name: from_json(typing.get_args(kind)[1], item) for name, item in value.items()}
    if dataclasses.is_dataclass(kind):
        fields = _fields_of(kind)
        parts = dict.fromkeys(field.name for field in dataclasses.fields(kind))
        for name, part in value.items():
            if name in fields:
                parts[fields[name][0]] = from_json(fields[name][1], part)
        return kind(**parts)
    if kind is datetime.datetime:
        return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    return value


def _fields_of(kind: type) -> Dict[str, Tuple[str, Any]]:
    if kind not in _fields:
        hints = typing.get_type_hints(kind, vars(sys.modules[kind.__module__]))
        fields = dataclasses.fields(kind)
        _fields[kind] = {field.metadata["name"]: (field.name, hints[field.name]) for field in fields}
    return _fields[kind]
