"""What the JSON API takes and gives."""

from __future__ import annotations

from pydantic import BaseModel


class Opened(BaseModel):
    """A picture on the desk."""

    id: str
    name: str
