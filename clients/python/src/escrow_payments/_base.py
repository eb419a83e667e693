"""What models and operations are made of."""

from __future__ import annotations

from typing import IO, Any, Final, Union

from pydantic import BaseModel, ConfigDict

File = Union[bytes, IO[bytes], "tuple[str, bytes | IO[bytes]]"]
"""The bytes of a file, or its name and its bytes."""


class Model(BaseModel):
    """An object of the API. Attributes are in snake case; ``model_dump(by_alias=True)`` has the names of the API.

    Fields that this version does not know are kept.
    """

    model_config = ConfigDict(populate_by_name=True, extra="allow", protected_namespaces=())


class Omit:
    """The type of ``OMIT``: an argument that is not sent. ``None`` is sent as null, which clears a field."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "OMIT"


OMIT: Final = Omit()


def sent(values: "dict[str, Any] | None") -> dict[str, Any]:
    """The values that are sent, in the form of the API."""
    return {name: wire(value) for name, value in (values or {}).items() if not isinstance(value, Omit)}


def wire(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, dict):
        return {name: wire(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [wire(inner) for inner in value]
    return value.isoformat() if hasattr(value, "isoformat") else value
