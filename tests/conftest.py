"""For all tests: the programs that they start can be interrupted, however the tests were started."""

import signal
import threading

if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job has it ignored
