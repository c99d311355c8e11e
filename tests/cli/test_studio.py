"""unrender studio as the shell runs it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

COMMAND = [sys.executable, "-m", "unrender.cli", "studio", "--no-browser"]


def test_it_prints_its_address_answers_there_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", "--brain", "new.brain"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+/)\?token=(\S{32,})", process.stdout.readline())
        assert found
        address, token = found.groups()
        asked = Request(address, headers={"Authorization": f"Bearer {token}"})
        with urlopen(asked, timeout=60) as page:
            assert "unrender studio" in page.read().decode()
        with pytest.raises(HTTPError, match="401"):  # another user of the same computer
            urlopen(address, timeout=60)
    finally:
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors == ""
    assert process.returncode == 130
    assert (tmp_path / "new.brain").is_file()


def test_the_command_line_of_the_browser_holds_an_invitation_that_works_once(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\necho $1 > {tmp_path}/asked && mv {tmp_path}/asked {tmp_path}/opened\n")
    browser.chmod(0o700)
    process = subprocess.Popen(
        [*COMMAND[:-1], "--port", "0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1", "BROWSER": f"{browser} %s"},
    )
    try:
        assert process.stdout is not None
        found = re.search(r"token=(\S+)", process.stdout.readline())
        assert found
        end = time.monotonic() + 60
        while not (tmp_path / "opened").exists() and time.monotonic() < end:
            time.sleep(0.05)
        invitation = (tmp_path / "opened").read_text().strip()
        assert found.group(1) not in invitation  # everybody on the machine can read it
        opener = build_opener(HTTPCookieProcessor())
        with opener.open(invitation, timeout=60) as page:
            assert "unrender studio" in page.read().decode()
        with pytest.raises(HTTPError, match="401"):
            urlopen(invitation, timeout=60)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*COMMAND, "--port", str(port)], cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
    assert done.returncode == 2
    assert done.stderr.startswith(f"unrender: Cannot listen on 127.0.0.1, port {port}: ")
    assert done.stderr.count("\n") == 1
