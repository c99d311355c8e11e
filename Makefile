# Two commands, each doing all of its own set-up on a machine with Python 3.11, make and git:
#   make demo   the main job, into out/demo
#   make test   everything that must hold; the last step is pytest
# The first run installs into .venv what it needs, the tests more than the demo; later runs start at once, until
# pyproject.toml or constraints.txt change.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_TO_TEST := $(VENV)/.ready-to-test
# Bytecode is made of what is imported, when it is imported: of everything it takes as long as the installation.
# So nothing around us may forbid it: without, every program that a test starts compiles all that it imports.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest

.PHONY: help demo test check setup tools browser docs pictures loops benchmark kill fuzz clean

help:
	@echo "make demo       tell the paper's results in out/demo/report.html"
	@echo "make test       set up, check, and run all tests"
	@echo "make check      ruff, mypy and the direction of imports"
	@echo "make docs       build the documentation into out/docs"
	@echo "make pictures   draw the pictures of the README again"
	@echo "make loops      compile the loops of seeing again for those who install this"
	@echo "make benchmark  run all benchmarks at tiny sizes, into out/bench"
	@echo "make kill       kill what works on a brain file, 500 times; into out/kill"
	@echo "make fuzz       20,000 broken inputs, in about an hour on two cores"
	@echo "make clean      forget the set-up and everything that was written"

demo: setup
	@$(BIN)/unrender demo

# One thread per worker: two workers share the two cores instead of fighting over them.
test: tools browser check
	OMP_NUM_THREADS=1 $(PYTEST) -n 2

check: tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports

docs: tools
	$(BIN)/sphinx-build -W --keep-going -q docs out/docs
	@echo "Wrote out/docs/index.html"

pictures: tools browser
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/screenshots.py

# After a change to a compiled loop, so that nobody's first picture waits for it.
loops: tools
	$(BIN)/python -m unrender.perception.warmup ship

benchmark: tools
	$(BIN)/unrender bench --quick

kill: tools
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/kill.py --kills 500

# UNRENDER_FUZZ: how many times as many cases as in `make test`. They are the same in every run.
fuzz: tools
	UNRENDER_FUZZ=60 OMP_NUM_THREADS=1 $(PYTEST) -n 2 --dist worksteal tests/fuzz

setup: $(READY)

tools: $(READY_TO_TEST)

$(READY): pyproject.toml constraints.txt
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	  for python in python3.11 python3 python; do \
	    $$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    echo "Setting up $(VENV); the first time takes a minute or two."; \
	    $$python -m venv --clear $(VENV) && exit 0; \
	  done; \
	  echo "unrender needs Python 3.11 or newer with venv (on Debian: apt-get install python3 python3-venv)." >&2; \
	  exit 1; }
	@$(PIP) -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

# The loops of seeing come compiled with the package; if they do not fit, that is done before the tests, on all
# cores, and the demo compiles what it comes to.
$(READY_TO_TEST): $(READY)
	@echo "Installing what the tests need."
	@$(PIP) -e ".[dev]"
	@$(BIN)/python -m unrender.perception.warmup
	@touch $@

# The browser tests drive Debian's Chromium.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "Installing Chromium for the browser tests."; \
	    { apt-get install -qq -y --no-install-recommends chromium || \
	      { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; }; } \
	      >/dev/null 2>&1 || { echo "apt-get could not install chromium; install it by hand." >&2; exit 1; }; \
	  else \
	    echo "The browser tests need Chromium: install the package \"chromium\" and run make again." >&2; \
	    exit 1; \
	  fi; }

clean:
	rm -rf $(VENV) out build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
