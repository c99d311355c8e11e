"""The server: the one application, who gets in, and how much a request may say."""

from unrender.studio.server.studio import Studio

__all__ = ["Studio"]
