"""Format 2: a tally of all rows, so that none can vanish unnoticed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from unrender.memory import tally
from unrender.memory.alchemy import driver_of

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "tally",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("total", sa.Integer, nullable=False),
    )
    tally.start(driver_of(op.get_bind()))
