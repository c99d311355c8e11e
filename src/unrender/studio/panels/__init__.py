"""The page in the browser: `page.py` says where every panel stands."""
