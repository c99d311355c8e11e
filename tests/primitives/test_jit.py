"""Compiled loops, seen from outside."""

import pytest

from unrender.primitives.jit import interruptible


def test_ctrl_c_in_a_loop_is_no_error_of_the_loop() -> None:
    inner = SystemError("what the loop calls returned a result with an exception set")
    inner.__cause__ = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise SystemError("a loop returned a result with an exception set") from inner


def test_an_error_of_a_loop_stays_one() -> None:
    with pytest.raises(SystemError), interruptible():
        raise SystemError("something else") from ValueError()
