"""For all tests: examples of hypothesis repeat exactly, and programs that are started can be interrupted."""

import signal
import threading

from hypothesis import HealthCheck, settings

# A machine with other work on it draws examples slowly, which says nothing about the code.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job has it ignored
