"""The studio: teach by pointing, in the browser. A desk of pictures and one brain, a page, and a JSON API."""
