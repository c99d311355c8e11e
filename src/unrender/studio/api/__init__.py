"""The JSON API: `routes.py` says what can be asked for, `models.py` in which form."""
