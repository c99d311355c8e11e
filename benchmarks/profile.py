"""Where the time goes: `see` and `teach` by stage, against the size of the picture and of the scene.

    python benchmarks/profile.py [--seed 0] [--quick] [--out out/profile]

The work is in profiling.py, because the standard library has a module `profile` too: cProfile, which torch
imports, must get that one even from beside this script.
"""

from __future__ import annotations

if __name__ == "profile":
    import os
    import sys
    from importlib.util import module_from_spec, spec_from_file_location

    standard = spec_from_file_location("profile", os.path.join(os.path.dirname(os.__file__), "profile.py"))
    assert standard is not None
    assert standard.loader is not None
    sys.modules["profile"] = module_from_spec(standard)
    standard.loader.exec_module(sys.modules["profile"])

if __name__ == "__main__":
    from functools import partial

    from profiling import main
    from report import run

    run(partial(main, __doc__))
