"""Work on several cores."""

import subprocess
import sys
import threading

import torch

from unrender.capsules.threads import each


def test_results_come_in_the_order_of_the_items_and_threads_stay_as_they_were() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        meeting = threading.Barrier(2)  # passed only by two at once
        found = each(lambda item: (item, meeting.wait(10) >= 0, torch.get_num_threads()), range(6))
        assert found == [(item, True, 1) for item in range(6)]
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


FORKS = """
import os
import torch
from unrender.capsules.threads import each
torch.set_num_threads(2)
print(each(abs, [-1, -2]), flush=True)
child = os.fork()
if not child:
    print(each(abs, [-3, -4]), flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""


def test_a_fork_has_threads_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=60)
    assert done.stdout.split("\n") == ["[1, 2]", "[3, 4]", "0", ""]
