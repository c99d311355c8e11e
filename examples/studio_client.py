"""A program that shows a picture to the studio and teaches it one word: python studio_client.py"""

import json
from pathlib import Path
from urllib.request import Request, urlopen

from unrender.studio.server import Studio

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "ship.png"

with Studio(port=0) as studio:  # or start "unrender studio" and use the address and the token that it prints
    headers = {"Authorization": f"Bearer {studio.token}", "Content-Type": "application/json"}
    picture = Request(studio.address + "api/see?name=ship.png", PICTURE.read_bytes(), headers)
    seen = json.load(urlopen(picture))
    print(len(seen["scene"]["axioms"]), "shapes.", seen["question"]["sentence"])
    body = json.dumps({"picture": seen["id"], "name": "ship"}).encode()
    print(json.load(urlopen(Request(studio.address + "api/answer", body, headers)))["told"])
    known = json.load(urlopen(Request(studio.address + "api/brain", None, headers)))
    print([route["parts"] for symbol in known["symbols"] for route in symbol["routes"]])
