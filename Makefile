# Everything one does with a clone. Needs make and Python 3.11 or later, nothing else.
# Paths are relative on purpose: the folder may have spaces in its name.

PYTHON ?= python3
# What pytest gets besides the selection; PYTEST_ARGS= runs the tests one after the other.
PYTEST_ARGS ?= -n auto

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: test-plain cores sanitize attack chapter-4 trends news browser speech segments labels sites methods-table fuzz mutants pin-floors threads headlines fields reliability adaptation help demo test test-fast lint site wheel floors leaderboard combinations bench constraints clean

DEV := .venv/bin
DEMO := .venv-demo/bin
# Pinned versions, also for the build backend, which pip installs apart.
PINNED := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
TYPES := $(shell find src -name '_*.pxd')
# With the modules that are compiled as they are: `name.py` beside `_name.pxd`.
KERNELS := $(shell find src -name '*.pyx') $(TYPES) \
  $(foreach types,$(TYPES),$(dir $(types))$(patsubst _%.pxd,%.py,$(notdir $(types))))
PIP_INSTALL := -m pip install -qq --disable-pip-version-check

help:  ## this table
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: .venv-demo/ready  ## set up the core alone and extract a bundled page (about a minute)
	$(DEMO)/python examples/demo.py

test: .venv/kernels browser speech  ## set up core, dev, Chromium and eSpeak NG, and run every test
	$(DEV)/python -m pytest $(PYTEST_ARGS)

test-fast: .venv/kernels browser speech  ## the tests that are not marked slow, with few random examples (a minute)
	$(DEV)/python -m pytest $(PYTEST_ARGS) -m "not slow" --hypothesis-profile=quick

# The tests that load pages in Chromium are left out where there is none.
browser: .venv/kernels  ## install Chromium if it is missing (on Debian, as root)
	@if ! $(DEV)/python -c 'from thresher.visual.browser import find_chromium as f; f()' 2>/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing chromium ..." && apt-get -qq update && \
	    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium >/dev/null; \
	  else \
	    echo "no Chromium: install it (Debian: sudo apt install chromium), or set THRESHER_CHROMIUM to yours."; \
	  fi; \
	fi

# The tests that read a page aloud are left out where there is no speech program.
speech:  ## install eSpeak NG, a speech program, if it is missing (on Debian, as root)
	@if ! command -v espeak-ng >/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing espeak-ng ..." && apt-get -qq update && \
	    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends espeak-ng >/dev/null; \
	  else \
	    echo "no eSpeak NG: install it (Debian: sudo apt install espeak-ng)."; \
	  fi; \
	fi

test-plain: .venv/kernels browser  ## the fast tests without the compiled kernels
	THRESHER_CORE=plain $(DEV)/python -m pytest $(PYTEST_ARGS) -m "not slow" \
	  --hypothesis-profile=quick

cores: .venv/kernels  ## compare the compiled with the plain kernels on all corpora
	$(DEV)/python -m benchmarks.cores

# In a copy of the sources, so that the usual kernels stay.
SANITIZED := build/sanitized
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover -fno-omit-frame-pointer -O1
sanitize: .venv/kernels  ## run hostile and mutated pages with kernels that check every access
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED)
	cp -r src setup.py pyproject.toml README.md LICENSE $(SANITIZED)/
	find $(SANITIZED) -name '*.so' -delete
	cd $(SANITIZED) && THRESHER_CFLAGS="$(SANITIZE)" ../../$(DEV)/python setup.py -q build_ext --inplace
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH=$(SANITIZED)/src \
	  $(DEV)/python -m benchmarks.safety
	$(DEV)/python -m benchmarks.safety --mutated 0 --memory 20000

attack: .venv/kernels browser  ## attack everything: hostile pages, payloads, servers, models, disks (20 minutes)
	$(DEV)/python -m benchmarks.attack --write  # docs/figures/attack.json and SECURITY.md

SEED := $(or $(SEED),$(shell date +%s))
fuzz: .venv/kernels  ## the property tests with new random examples; SEED=... repeats a run
	@echo "seed: $(SEED) (run make fuzz SEED=$(SEED) to repeat)"
	$(DEV)/python -m pytest $(PYTEST_ARGS) -m hypothesis --hypothesis-profile=explore --hypothesis-seed=$(SEED)

mutants: .venv/kernels  ## change src/ in 100 small ways and count the changes that a test notices
	$(DEV)/python -m benchmarks.mutants --count 100 --seed 1

lint: .venv/kernels  ## ruff, mypy --strict, import rules
	$(DEV)/python -m ruff check
	$(DEV)/python -m ruff format --check
	$(DEV)/python -m mypy --strict src benchmarks website
	$(DEV)/lint-imports --no-logo

site: .venv/kernels  ## build the documentation into build/site and check its links (half a minute)
	THRESHER_CORE=plain NO_MKDOCS_2_WARNING=1 $(DEV)/python -m mkdocs build --strict --site-dir build/site
	$(DEV)/python -m website.check build/site

wheel: .venv/kernels  ## build the wheel, install it in a clean venv, run it there
	rm -rf build/wheel build/lib build/lib.* build/bdist.*
	THRESHER_PURE=1 $(DEV)/python -m build --wheel --no-isolation --outdir build/wheel/pure .
	rm -rf build/lib build/bdist.*
	$(DEV)/python -m build --wheel --no-isolation --outdir build/wheel .
	$(DEV)/python -m venv build/wheel/venv
	$(PINNED) build/wheel/venv/bin/python $(PIP_INSTALL) build/wheel/*.whl
	build/wheel/venv/bin/thresher --version
	build/wheel/venv/bin/thresher --help
	build/wheel/venv/bin/thresher methods
	build/wheel/venv/bin/python -m thresher extract examples/demo.html
	$(PINNED) build/wheel/venv/bin/python $(PIP_INSTALL) --force-reinstall --no-deps build/wheel/pure/*.whl
	build/wheel/venv/bin/thresher --version
	build/wheel/venv/bin/python -m thresher extract examples/demo.html
	rm -rf build/wheel/venv

floors: .venv/kernels  ## check that no method fell below its pinned accuracy (needs the corpora)
	$(DEV)/python -m benchmarks.floors floors.json --cache build/scores.sqlite

pin-floors: .venv/kernels  ## raise the floors to what is measured; METHOD=name pins a new method alone
	$(DEV)/python -m benchmarks.floors floors.json --pin --method=$(METHOD)

leaderboard: .venv/kernels  ## measure every method and peer on 150 pages of every corpus, write docs and README
	$(DEV)/python -m pip install -qq --disable-pip-version-check --upgrade 'pip>=23.3.2'
	$(PINNED) $(DEV)/python $(PIP_INSTALL) --editable '.[dev,peers]'
	$(DEV)/python -m benchmarks.leaderboard docs/figures/leaderboard.json --limit 150 \
	  --page docs/leaderboard.md --readme README.md --cache build/scores.sqlite
	$(DEV)/python -m benchmarks.methods_table

combinations: .venv/kernels  ## find the best combination of methods, write docs/combining.md
	OMP_NUM_THREADS=1 $(DEV)/python -m benchmarks.combinations docs/combining.md

reliability: .venv/kernels  ## is confidence calibrated? writes docs/models/default.md and its picture
	$(DEV)/python -m benchmarks.reliability docs/models/default.md docs/figures/reliability.json \
	  docs/pictures/reliability.svg

adaptation: .venv/kernels  ## what 50 pages of an unseen kind add, write docs/models/default.md
	$(DEV)/python -m benchmarks.adaptation docs/models/default.md

sites: .venv/kernels  ## what learned pages of a site add, write docs/site.md and its pictures
	OMP_NUM_THREADS=1 $(DEV)/python -m benchmarks.sites

segments: .venv/kernels browser  ## compare segmentations with drawn blocks, write docs/segmentation.md
	OMP_NUM_THREADS=1 $(DEV)/python -m benchmarks.segments

labels: .venv/kernels browser  ## compare the kinds of segments with drawn ones, write docs/visual.md
	OMP_NUM_THREADS=1 $(DEV)/python -m benchmarks.labels docs/visual.md

headlines: .venv/kernels  ## compare the ways to find a headline, write docs/headline.md
	$(DEV)/python -m benchmarks.headlines docs/headline.md

fields: .venv/kernels  ## score the fields of metadata beside trafilatura, write docs/metadata.md
	$(DEV)/python -m pip install -qq --disable-pip-version-check --upgrade 'pip>=23.3.2'
	$(PINNED) $(DEV)/python $(PIP_INSTALL) --editable '.[dev,peers]'
	$(DEV)/python -m benchmarks.fields docs/metadata.md

methods-table: .venv/kernels  ## list the methods and their last scores in docs/methods/README.md
	$(DEV)/python -m benchmarks.methods_table

chapter-4: .venv/kernels  ## tables of the thesis on our corpora, write docs/methods/chapter-4.md
	OMP_NUM_THREADS=1 $(DEV)/python -m benchmarks.chapter_4

trends: .venv/kernels  ## trends of acl-abstracts, write docs/trends.md and its plot (needs the corpora)
	$(DEV)/python -m benchmarks.trend_plots

news: .venv/kernels  ## run the commands of docs/news-monitoring.md, write its plot
	$(DEV)/python -m benchmarks.news_plot

threads: .venv/kernels  ## score comments and posts (needs the corpora)
	$(DEV)/python -m benchmarks.threads

bench: .venv/kernels  ## time everything against turbohtml.parse, write docs/speed.md and README
	$(DEV)/python -m benchmarks.trends
	$(DEV)/python -m benchmarks.speed

constraints:  ## renew constraints.txt: the newest versions that pyproject.toml allows
	rm -rf build/constraints
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/python $(PIP_INSTALL) --editable '.[dev]' editables
	{ sed -n '/^#/p' constraints.txt; \
	  build/constraints/bin/python -m pip freeze --all --exclude pip --exclude-editable --disable-pip-version-check; \
	} > build/constraints.txt
	mv build/constraints.txt constraints.txt
	rm -rf build/constraints

clean:  ## remove what the other targets made
	rm -rf .venv .venv-demo build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache \
	  .import_linter_cache demo-output
	find src tests examples benchmarks website -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# Set-up runs again when a version or a dependency changes, and the kernels are built again when they
# change. Without a C compiler there are none, and the plain versions run.
.venv/ready: pyproject.toml constraints.txt
	$(call set_up,.venv,.[dev],THRESHER_PURE=1)

.venv/kernels: .venv/ready setup.py $(KERNELS)
	@echo "building the kernels ..."
	@$(DEV)/python setup.py -q build_ext --inplace
	@touch $@

.venv-demo/ready: pyproject.toml constraints.txt
	$(call set_up,.venv-demo,.)

define set_up
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "Thresher needs Python 3.11 or later: run make PYTHON=python3.11 (or newer)")'
	@echo "setting up $(1) with pinned versions ..."
	@$(PYTHON) -m venv --clear $(1)
	@$(3) $(PINNED) $(1)/bin/python $(PIP_INSTALL) --editable '$(2)'
	@touch $(1)/ready
endef
