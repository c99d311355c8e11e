"""The studio: the desk and what lies on it, the page's panels, the JSON API, and the server around them."""
