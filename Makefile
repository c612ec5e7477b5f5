# One word per task. Needed beforehand: git, make and Python 3.11 or newer (another one: make PYTHON=python3.13 test);
# a C compiler and the headers of Python make reading faster, and nothing else needs them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
COMPILED := $(VENV)/compiled
CATALOGUES := -d cli/locale -D ontocrawl
TEXTS := cli/locale/zh_CN/LC_MESSAGES/ontocrawl
# A file's tests stay together, since they share what they have started; the files in their order, long ones first.
# Three processes on two cores, because tests wait a part of their time for servers to start and to end, and for pauses.
ON_TWO_CORES := -n 3 --dist loadfile --no-loadscope-reorder
HANLP := .venv-hanlp
# A Python that has PyTorch. Debian's is without CUDA and takes 650 MB; the one that pip finds takes gigabytes.
TORCH_PYTHON ?= /usr/bin/python3
CHROMIUM ?= chromium
# Installs Debian's packages; one process at a time may.
INSTALL := flock Makefile sh -c 'apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$$@" >/dev/null' install
CHINESE_FONT := /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc

# Else each of hundreds of processes would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE
# Seconds without an answer of the registry; uv's own 30 are too few for large packages on a slow network.
export UV_HTTP_TIMEOUT ?= 180

.PHONY: setup demo test test-fast test-extras torch test-browser chromium test-programs test-wheel test-sanitized test-cluster docs site texts lint bench-orders bench-speed bench-soak torture lock

setup: $(COMPILED)  ## leaves .venv/bin/ontocrawl, its loops in C compiled where there is a compiler

demo: $(COMPILED)  ## crawls the bundled small web
	@$(BIN)/ontocrawl demo

test: $(COMPILED)  ## all tests, on two cores
	@$(BIN)/python -m pytest $(ON_TWO_CORES)

test-fast: $(COMPILED)  ## those that start no other program
	@$(BIN)/python -m pytest $(ON_TWO_CORES) -m "not slow"

test-extras: $(HANLP)/ready  ## --segmenter hanlp, with a small model that the test trains; the sentence encoder
	@$(HANLP)/bin/python -m pytest --noconftest -o addopts=-q tests/extras

test-browser: $(COMPILED) chromium  ## report, page and Neo4j Browser, looked at in headless Chromium
	@CHROMIUM=$(CHROMIUM) $(BIN)/python -m pytest $(ON_TWO_CORES) -o addopts='-q --strict-markers -rs' tests/browser

test-programs: $(COMPILED)  ## files for Protégé and Gephi, read by their libraries; needs Java, and Maven to bring them once
	@$(BIN)/python -m pytest -o addopts='-q --strict-markers -rs' tests/programs

test-wheel: $(COMPILED)  ## sdist and wheel, installed into an empty environment, from which the demonstration runs
	@$(BIN)/python -m pytest --noconftest -o addopts='-q -rs' tests/wheel

test-sanitized: $(COMPILED)  ## the parts in C on broken pages, under gcc's AddressSanitizer and UBSan
	@$(BIN)/python -m benchmarks.sanitized

test-cluster: $(COMPILED)  ## the workers of a Ray cluster that runs already, started for the test
	@RAY_CLUSTER=1 $(BIN)/python -m pytest tests/cli/test_workers.py

docs: $(COMPILED)  ## writes the pages that are made from the code: docs/commands.md, exit-codes.md, tutorial.md
	@$(BIN)/python -m cli.documented
	@WRITE_TUTORIAL=1 $(BIN)/python -m pytest -o addopts=-q tests/cli/test_tutorial.py

site: $(COMPILED)  ## the documentation as pages for a browser, in site/; fails if a link leads nowhere
	@rm -rf build/pages && mkdir -p build/pages
	@cp -r --parents *.md docs benchmarks/*.md benchmarks/*.tsv build/pages
	@NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict

texts: $(COMPILED)  ## adds new texts of the code to cli/locale/*/LC_MESSAGES/ontocrawl.po, where they are translated
	@$(BIN)/pybabel -q extract -F pyproject.toml --add-location=file -o $(VENV)/texts.pot .
	@$(BIN)/pybabel -q update -i $(VENV)/texts.pot $(CATALOGUES) -N --ignore-obsolete --ignore-pot-creation-date -w 120
	@$(BIN)/pybabel compile $(CATALOGUES) --statistics

lint: $(COMPILED)
	@$(BIN)/ruff check --no-cache .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports
	@$(BIN)/mypy

bench-orders: $(COMPILED)  ## all strategies on the 30 tasks of ../shared/webs, in the lab; writes benchmarks/orders.md
	@$(BIN)/python -m benchmarks.orders_lab

bench-speed: $(COMPILED)  ## pages a second beside Scrapy, a full queue, going on with one; more than an hour
	@$(BIN)/python -m benchmarks.speed
	@$(BIN)/python -m benchmarks.long_queue

bench-soak: $(COMPILED)  ## a crawl of 200,000 made pages; takes hours
	@$(BIN)/python -m benchmarks.soak

torture: $(COMPILED)  ## kills crawls and compares what they leave; half an hour
	@$(BIN)/python -m benchmarks.torture

lock:  ## writes requirements.lock from pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url \
		--upgrade --python-version 3.11 --group dev --group site --output-file requirements.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --upgrade \
		--python-version 3.11 $(patsubst %,--no-emit-package %,torch wheel nvidia-cublas-cu11 nvidia-cuda-nvrtc-cu11 \
		nvidia-cuda-runtime-cu11 nvidia-cudnn-cu11) --output-file tests/extras/requirements.lock tests/extras/requirements.in

# The lock names everything, so uv need not ask what needs what, for which it would build owlready2, which comes as source,
# each time. Compiled without optimising that takes 10 s instead of 40; only its reading for the reasoner is slower.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo 'ontocrawl needs Python 3.11 or newer; name yours, for example: make PYTHON=python3.12 $(MAKECMDGOALS)' >&2; exit 1; }
	@echo 'preparing $(VENV) (once; about 1.5 GB on disk, a minute or two) ...'
	@$(PYTHON) -m venv $(VENV)
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock >$(VENV)/uv.lock  # first the installer, which is faster than pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(VENV)/uv.lock
	@CFLAGS=-O0 $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

# Without a compiler the same runs in Python, and takes longer.
$(COMPILED): $(wildcard semantic/in_c/*.c) hatch_build.py $(TEXTS).mo | $(READY)
	@$(BIN)/python hatch_build.py
	@touch $@

$(TEXTS).mo: $(TEXTS).po | $(READY)
	@$(BIN)/pybabel -q compile $(CATALOGUES)

$(HANLP)/ready: tests/extras/requirements.lock | $(READY) torch
	@$(TORCH_PYTHON) -m venv --without-pip --system-site-packages $(HANLP)
	@$(BIN)/uv pip install --quiet --python $(HANLP)/bin/python --no-deps --require-hashes -r tests/extras/requirements.lock
	@touch $@

torch:
	@$(TORCH_PYTHON) -c 'import importlib.util as i, sys; sys.exit(i.find_spec("torch") is None)' || { \
		echo 'installing python3-torch (once; 150 MB to load, 650 MB on disk) ...'; \
		$(INSTALL) python3-torch; } || { \
		echo 'this needs a Python with PyTorch; name it: make TORCH_PYTHON=python3.12 test-extras' >&2; exit 1; }

chromium:
	@{ command -v $(CHROMIUM) && test -e $(CHINESE_FONT); } >/dev/null || { \
		echo 'installing chromium and fonts-noto-cjk (once; 450 MB on disk) ...'; \
		$(INSTALL) chromium fonts-noto-cjk; } || { \
		echo 'this needs a Chromium; name yours: make CHROMIUM=google-chrome test-browser' >&2; exit 1; }
