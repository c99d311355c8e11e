"""Format 1: lessons, and the symbols, routes, weights, observations and records that they make."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from unrender.memory.tables import Blob

revision = "0001"
down_revision = None

CURRENT = sa.text("died IS NULL")


def upgrade() -> None:
    op.create_table(
        "lesson",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("seal", sa.Integer, nullable=False),
        *texts("kind", "title", "details", "at"),
    )
    op.create_table("symbol", *life(), *texts("name", "attributes"))
    op.create_table(
        "route",
        *life(),
        *texts("symbol"),
        sa.Column("number", sa.Integer, nullable=False),
        *texts("kind", "label", "parts"),
        sa.Column("given", sa.Text),
        *texts("body"),
    )
    op.create_table("weights", *life(), of_route(), sa.Column("blob", Blob, nullable=False))
    op.create_table("observation", *life(), of_route(), *texts("entry"))
    op.create_table("record", *life(), *texts("kind", "key", "body"))
    op.create_index("ix_observation_route", "observation", ["route"])
    one_current("symbol", "name")
    one_current("route", "symbol", "number")
    one_current("weights", "route")
    one_current("record", "kind", "key")


def life() -> list[sa.Column[Any]]:
    return [
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("born", sa.Integer, sa.ForeignKey("lesson.id"), nullable=False),
        sa.Column("died", sa.Integer, sa.ForeignKey("lesson.id")),
        sa.Column("seal", sa.Integer, nullable=False),
    ]


def texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def of_route() -> sa.Column[int]:
    return sa.Column("route", sa.Integer, sa.ForeignKey("route.id"), nullable=False)


def one_current(table: str, *columns: str) -> None:
    op.create_index(f"current_{table}", table, list(columns), unique=True, sqlite_where=CURRENT)
