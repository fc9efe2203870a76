"""The OpenAPI document as its page shows it: groups of operations, each with what it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

METHODS = ("get", "post", "put", "delete")


def operations_by_tag(document: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """By tag, in the order of the document."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, item in document.get("paths", {}).items():
        for method in METHODS:
            if method in item:
                operation = _operation(document, path, method, item[method])
                groups.setdefault(operation["tag"], []).append(operation)
    return groups


def _operation(document: Mapping[str, Any], path: str, method: str, about: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "tag": (about.get("tags") or ["other"])[0],
        "method": method.upper(),
        "path": path,
        "about": about.get("description") or about.get("summary", ""),
        "parameters": [
            {
                "name": each["name"],
                "place": each["in"],
                "type": _type_name(each.get("schema", {})),
                "needed": each.get("required", False),
                "default": each.get("schema", {}).get("default"),
            }
            for each in about.get("parameters", [])
        ],
        "body": list(_fields(document, about.get("requestBody"))),
        "answers": sorted(about.get("responses", {})),
    }


def _fields(document: Mapping[str, Any], body: Mapping[str, Any] | None) -> Iterator[dict[str, Any]]:
    schema = (body or {}).get("content", {}).get("application/json", {}).get("schema", {})
    schema = _resolved(document, next((each for each in schema.get("anyOf", ()) if "$ref" in each), schema))
    needed = schema.get("required", ())
    for name, about in schema.get("properties", {}).items():
        yield {"name": name, "type": _type_name(about), "needed": name in needed, "default": about.get("default")}


def _resolved(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    name = schema["$ref"].rpartition("/")[2]
    found: Mapping[str, Any] = document.get("components", {}).get("schemas", {}).get(name, {})
    return found


def _type_name(schema: Mapping[str, Any]) -> str:
    """
    >>> _type_name({"anyOf": [{"type": "integer"}, {"type": "null"}]}), _type_name({"enum": ["a", "b"]})
    ('integer or null', 'a | b')
    """
    if "enum" in schema:
        return " | ".join(str(each) for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_type_name(each) for each in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array":
        return f"list of {_type_name(schema.get('items', {}))}"
    return str(schema.get("type", "any"))
