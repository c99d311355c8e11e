"""Machine code of compiled loops, kept on disk under a name that changes with all that it follows from.

numba's own cache looks at the file of a function only: it does not notice that a number or a loop of another
file has changed, and to load a function it reads all that would be needed to compile others. Here the name of
a file holds a hash of the loop's code, of the numbers it reads and of the loops it calls, so nothing stale is
ever found; and only machine code is loaded. Whatever cannot be read is compiled again.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import config, serialize
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult, compile_result
from numba.core.runtime.nrt import rtsys

from unrender.primitives.shipped import unpack

FOLDER = "loops"
# What a loop may read from a module, beside loops, arrays and tuples of these.
NUMBERS = (int, float, complex, str, bytes, np.generic, np.dtype, type(None))


class KeptLoop:
    """What numba asks for the kept code of one function (`Dispatcher._cache`)."""

    def __init__(self, loop: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self._loop = loop
        self._options = options

    @property
    def cache_path(self) -> str | None:
        return None if folder() is None else str(folder())

    @cached_property
    def _name(self) -> str:
        """Read when it is first used: a loop may call others that stand below it in the file."""
        options = sorted((name, sorted(v) if isinstance(v, set) else v) for name, v in self._options.items())
        readable = f"{self._loop.__module__}.{self._loop.__qualname__}".replace("<", "").replace(">", "")
        return f"{readable}-{digest(repr((stamp(self._loop), options)))}"

    def path(self, signature: object) -> Path | None:
        """The file of the code for these types."""
        kept = folder()
        return None if kept is None else kept / f"{self._name}-{digest(str(signature))}.code"

    def load_overload(self, signature: object, target: Any) -> CompileResult | None:
        path = self.path(signature)
        if path is None:
            return None
        try:
            with path.open("rb") as file:
                made = _loaded(target, *pickle.load(file))
            os.utime(path)  # what is not used for long is deleted
            return made
        except Exception:  # not there, half written, or of another numba
            return None

    def save_overload(self, signature: object, made: Any) -> None:
        path = self.path(signature)
        whole = all(part.can_cache for part in made.lifted) and not made.library.has_dynamic_globals
        if path is None or not whole:
            return
        *told, _, prepare, environments = made._reduce()
        needed = tuple(environment for environment in environments if environment.consts)
        with suppress(OSError):  # without the types of all that it computes, which are for people to read
            write(path, serialize.dumps((*told, "", prepare, needed)))

    def enable(self) -> None:
        """Nothing to do: numba's own may be switched off."""

    disable = flush = enable


class KeptCode(JITCodeLibrary):
    """A library of machine code; what is needed to compile a caller of it is read when there is one."""

    bitcode: bytes

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(self.bitcode)
        return self._shared_module


def call_template(loop: Any, args: Any, kws: Any) -> Any:
    """`Dispatcher.get_call_template`, which asks for a loop in order to build it into another: code that was
    shipped cannot be that, and is forgotten first."""
    libraries = [made.library for made in loop.overloads.values()]
    if any(isinstance(library, KeptCode) and not library.bitcode for library in libraries):
        loop._reset_overloads()
    return type(loop).get_call_template(loop, args, kws)


def _loaded(
    target: Any,
    library: tuple[str, str, tuple[bytes, bytes]],
    description: Any,
    environment: Any,
    signature: Any,
    objectmode: bool,
    lifted: Any,
    annotation: str,
    prepare: Any,
    environments: Any,
) -> CompileResult | None:
    """What `CompileResult._reduce` has told, as a function that can be called.

    numba would first import all that it compiles with, and then parse the function's LLVM module.
    """
    rtsys.initialize(target)
    for step in prepare:
        step()
    name, _, (machine_code, bitcode) = library
    if not bitcode and len(target.typing_context.callstack):
        return None  # what is being compiled needs it as a part of its own
    codegen = target.codegen()
    kept = KeptCode(codegen, name)
    kept.bitcode = bitcode
    kept.enable_object_caching()
    kept._set_compiled_object(machine_code)
    kept._finalize_final_module()
    codegen._engine._defined_symbols.add(description.llvm_cpython_wrapper_name)
    if not kept.get_pointer_to_function(description.llvm_cpython_wrapper_name):
        return None
    entry = target.get_executable(kept, description, environment)
    for other in environments:
        codegen.set_env(other.env_name, other)
    made: CompileResult = compile_result(
        target_context=target,
        typing_context=target.typing_context,
        library=kept,
        environment=environment,
        entry_point=entry,
        fndesc=description,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=prepare,
        referenced_envs=environments,
    )
    return made


def stamp(loop: Callable[..., Any]) -> str:
    """A hash of all that a loop's machine code follows from, except the types it is called with: its own
    code, the numbers that it reads from any module, and the same of the loops that it calls."""
    return digest(repr(_function(_plain(loop), ())))


def _plain(loop: Any) -> FunctionType:
    plain = getattr(loop, "py_func", loop)
    assert isinstance(plain, FunctionType)
    return plain


def _function(loop: FunctionType, above: tuple[FunctionType, ...]) -> Hashable:
    """above: its callers, which are not told again where it calls them."""
    if loop in above:
        return above.index(loop)
    cells = [cell.cell_contents for cell in loop.__closure__ or ()]
    names = sorted(_names(loop.__code__))
    read = [(name, loop.__globals__[name]) for name in names if name in loop.__globals__]
    read += zip(loop.__code__.co_freevars, cells, strict=True)
    read += [("", value) for value in loop.__defaults__ or ()]
    return _code(loop.__code__), tuple((name, _value(value, (*above, loop))) for name, value in read)


def _names(code: CodeType) -> set[str]:
    inner = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*inner)


def _code(code: CodeType) -> Hashable:
    """What it does, wherever it stands."""
    consts = tuple(_code(const) if isinstance(const, CodeType) else repr(const) for const in code.co_consts)
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount


def _value(value: object, above: tuple[FunctionType, ...]) -> Hashable:
    """What a loop reads from its module or the function around it."""
    function = getattr(value, "py_func", value)
    if isinstance(function, FunctionType):
        return _function(function, above)
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple):
        return tuple(_value(one, above) for one in value)
    if isinstance(value, (ModuleType, type, BuiltinFunctionType, np.ufunc)):
        return value.__name__
    return type(value).__qualname__, repr(value) if isinstance(value, NUMBERS) else ""


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


@cache
def folder() -> Path | None:
    """Where the code for this machine is kept: in the folder that NUMBA_CACHE_DIR names, else beside the
    package, else in the user's cache; None if nothing can be written."""
    host = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    chosen = (config.CPU_NAME, config.CPU_FEATURES)  # type: ignore[attr-defined]
    machine = (llvm.get_process_triple(), *(host if chosen == (None, None) else chosen))
    made_by = (sys.version, np.__version__, numba.__version__, llvmlite.__version__)
    checked = ("bounds",) if config.BOUNDSCHECK else ()  # type: ignore[attr-defined]
    name = f"{FOLDER}-{digest(repr((machine, made_by, *checked)))}"
    for place in _places():
        with suppress(OSError):
            (place / name).mkdir(parents=True, exist_ok=True)
            if os.access(place / name, os.W_OK):
                if not checked and chosen == (None, None):
                    unpack(place / name)
                return place / name
    return None


def _places() -> list[Path]:
    package = Path(__file__).parents[1]
    own = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    beside = [package / "__pycache__", Path(own) / "unrender" / digest(str(package))]
    chosen = config.CACHE_DIR  # type: ignore[attr-defined]
    return [Path(chosen) / "unrender", *beside] if chosen else beside


def write(path: Path, data: bytes) -> None:
    """All of it or nothing: other processes may read at any time."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
