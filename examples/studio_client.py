"""A program that shows a picture to the studio and teaches it one word: python studio_client.py"""

import json
from pathlib import Path
from urllib.request import Request, urlopen

from unrender.studio.server import Studio

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "ship.png"

with Studio(port=0) as studio:  # or start "unrender studio" and use the address that it prints
    picture = Request(studio.url + "api/see?name=ship.png", PICTURE.read_bytes())
    seen = json.load(urlopen(picture))
    print(len(seen["scene"]["axioms"]), "shapes.", seen["question"]["sentence"])
    body = json.dumps({"picture": seen["id"], "name": "ship"}).encode()
    answer = Request(studio.url + "api/answer", body, {"Content-Type": "application/json"})
    print(json.load(urlopen(answer))["told"])
    known = json.load(urlopen(studio.url + "api/brain"))
    print([route["parts"] for symbol in known["symbols"] for route in symbol["routes"]])
