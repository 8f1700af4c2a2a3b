# Everything runs in a virtual environment of the project's own, made on first use. make help prints the comments that
# stand right above variables and targets.

# The Python that makes the environments, 3.11 or newer.
PYTHON ?= python3
# hi_tom or mindgames; empty means both.
DATASET ?=
# The folder that holds the datasets' folders.
OUT ?= .
# Any integer of 64 bits: the same seed gives the same bytes.
SEED ?= 0
# How many processes work; empty means as many as there are cores.
PROCESSES ?=
# FORCE=1 lets build replace a build that has other arguments.
FORCE ?=
# More arguments for the command, such as ARGS="--train 100 --test 240". They differ by dataset, so they need DATASET
# (python -m tom_datasets build hi_tom --help).
ARGS ?=

# For probe: a checkpoint of the Hub, or a folder that holds one; empty means training the small model anew.
PROBE ?=

# For publish: whose (a user or an organisation of the Hub), and the repository's name where it is not the dataset's;
# PRIVATE=1 makes new repositories private, PUBLIC=1 shows everybody a seed that is not public yet, REPLACE=1 replaces a
# build with other arguments, PR=1 opens a pull request, DRY_RUN=1 says what would be sent, EXPLORER=1 sends the page of
# make explorer too, as a static Space.
NAMESPACE ?=
NAME ?=
PRIVATE ?=
PUBLIC ?=
REPLACE ?=
PR ?=
DRY_RUN ?=
EXPLORER ?=
TAG ?=
REVISION ?=

# For reference: a model (smollm2 is an ordinary package; a folder or ORG/NAME; http://HOST/v1#NAME), and how many rows of
# each config it is asked; empty means smollm2 and 60.
MODEL ?=
ROWS ?=

# For bench: published MindGames problems, a file of JSON lines; empty means our own.
PROBLEMS ?=

VENV := .venv
READY := $(VENV)/.ready
EVAL_VENV := .venvs/eval
EVAL_READY := $(EVAL_VENV)/.ready
LIGHTEVAL_VENV := .venvs/lighteval
LIGHTEVAL_READY := $(LIGHTEVAL_VENV)/.ready
OPENENV_VENV := .venvs/openenv
OPENENV_READY := $(OPENENV_VENV)/.ready
TRAIN_VENV := .venvs/train
TRAIN_READY := $(TRAIN_VENV)/.ready
MODELS_VENV := .venvs/models
MODELS_READY := $(MODELS_VENV)/.ready
DOCS_VENV := .venvs/docs
DOCS_READY := $(DOCS_VENV)/.ready
RUN := $(VENV)/bin/python -m tom_datasets
# A file is one worker's, so that what its tests share is made once.
TESTS := $(VENV)/bin/python -m pytest -q -rs --durations=10 --numprocesses auto --maxprocesses 8 --dist loadfile
# Compiled modules are kept, whatever the shell says: without them each command compiles hundreds anew.
export PYTHONDONTWRITEBYTECODE :=
yes = $(filter-out 0 no false,$(1))

# Recipes read these from the environment, so that make and the shell leave quotes and dollars in them alone.
VALUES := SEED OUT $(if $(value PROCESSES),PROCESSES) PROBE NAMESPACE NAME TAG REVISION PROBLEMS MODEL ROWS
$(foreach name,$(VALUES),$(eval export TOM_$(name) = $$(value $(name))))
export PROBE_FOLDER = probes/$(subst /,--,$(value PROBE))
BUILD_OPTIONS := --seed "$$TOM_SEED" --out "$$TOM_OUT" $(if $(call yes,$(FORCE)),--force)

.PHONY: help build check audit explorer publish probe test coverage test-slow test-environments test-pages test-hub test-eval test-harnesses test-openenv test-trainers test-models test-explorer docs reference-pages reference curves bench tasks seal lint clean

# Write the folders of the datasets, each a complete Hub repository. This is what make does alone.
build: $(READY)
	@$(RUN) build $(DATASET) $(BUILD_OPTIONS) $(ARGS)

# Prove every row of the built folders twice, and enforce the audit's gates.
check: $(READY)
	@$(RUN) check $(DATASET) --out "$$TOM_OUT"

# Print how often guessing without reading is right on the test split; write the tables of docs/reference/audit_tables.md.
audit: $(READY)
	@$(RUN) audit $(DATASET) --out "$$TOM_OUT" $$(if [ "$$TOM_OUT" = . ]; then echo --docs docs/reference/audit_tables.md; fi)

# Write a page that opens from disk: what everybody believes after each line, which worlds each announcement leaves.
explorer: $(READY)
	@$(RUN) explorer $(DATASET) --out "$$TOM_OUT"

# Send the built folders to the Hub, and read them back; needs NAMESPACE.
publish: $(READY)
	@$(RUN) publish $(DATASET) --namespace "$$TOM_NAMESPACE" --out "$$TOM_OUT" \
	$(if $(value NAME),--name "$$TOM_NAME") $(if $(call yes,$(PRIVATE)),--private) $(if $(call yes,$(PUBLIC)),--public) \
	$(if $(call yes,$(REPLACE)),--replace) $(if $(call yes,$(PR)),--pr) $(if $(call yes,$(DRY_RUN)),--dry-run) \
	$(if $(call yes,$(EXPLORER)),--explorer) \
	$(if $(value TAG),--tag "$$TOM_TAG") $(if $(value REVISION),--revision "$$TOM_REVISION") $(ARGS)

# Train the difficulty model anew. With PROBE, fine-tune that, and build with its scores.
probe: $(TRAIN_READY)
	@$(TRAIN_VENV)/bin/python -m tom_datasets probe $(DATASET) $(if $(value PROBE),--checkpoint "$$TOM_PROBE")
	@$(if $(value PROBE),$(TRAIN_VENV)/bin/python -m tom_datasets build $(DATASET) $(BUILD_OPTIONS) \
	--probe "$$PROBE_FOLDER" $(ARGS))

# Run the tests that need nothing but .venv.
test: $(READY)
	$(TESTS)

# Run them, and count which lines of builders/ they run; less than 90 % is an error.
coverage: $(READY)
	$(TESTS) --cov=tom_datasets --cov-report=term --cov-fail-under=90

# Test loading scripts and publishing with older clients, other Pythons, and the pages' commands in a clone, on tiny builds.
test-environments: $(READY)
	$(VENV)/bin/python -m pytest -q -rs --durations=10 -m environments tests/test_environments.py

# Test README.md and docs/ on builds of default sizes, of which they show the figures; build each config alone, too.
test-pages: $(READY)
	TOM_DEFAULT_SIZES=1 $(VENV)/bin/python -m pytest -q -m environments -k commands_of_the_pages tests/test_environments.py
	TOM_DEFAULT_SIZES=1 $(TESTS) -m slow tests/folder/test_alone.py

# Run the tests that wait for networks, processes or pip: faults of the Hub, interrupts, the wheel.
test-slow: $(READY)
	$(TESTS) -m slow

# Test publishing and loading with the oldest datasets and huggingface_hub that are supported, and those of a year ago.
test-hub: $(READY)
	$(VENV)/bin/python -m pytest -q -m environments -k supported_clients

# Test what works with lm-evaluation-harness, Inspect, lighteval, OpenEnv, TRL, verifiers, reasoning-gym, datatrove and Ray.
test-eval: test-harnesses test-openenv test-trainers

# Test lm-evaluation-harness, Inspect and lighteval themselves, with their dummy models, on small builds.
test-harnesses: $(EVAL_READY) $(LIGHTEVAL_READY)
	$(EVAL_VENV)/bin/python -m pytest -q -rs --durations=10 -m harnesses tests/test_harnesses.py
	$(LIGHTEVAL_VENV)/bin/python -m pytest -q -rs -m harnesses tests/training/test_lighteval.py

# Test the game as an environment of OpenEnv, over loopback.
test-openenv: $(OPENENV_READY)
	$(OPENENV_VENV)/bin/python -m pytest -q -rs --durations=10 -m harnesses tests/test_openenv.py

# Test what needs torch, without a model that knows anything (training of probes, TRL, verifiers), datatrove and Ray.
test-trainers: $(TRAIN_READY)
	$(TRAIN_VENV)/bin/python -m pytest -q -rs --durations=10 -m trainers tests/difficulty tests/training tests/scale

# Ask a real small model, train it by the lines of docs/how_to/train.md, and count what of each reply it learns from.
test-models: $(MODELS_READY)
	OMP_NUM_THREADS=1 $(MODELS_VENV)/bin/python -m pytest -q -rs --durations=10 --numprocesses 2 -m models tests/models

# Test the explorer's page in Chromium, which must be there with its driver (Debian: chromium and chromium-driver).
test-explorer: $(READY)
	$(TESTS) -m browser tests/explorer

# Make a site of README.md and docs/ with a search, in .build/site. A link that leads nowhere is an error.
docs: $(DOCS_READY)
	@$(DOCS_VENV)/bin/python -m mkdocs build --strict

# Write what pages of docs/reference repeat of the code: commands, columns and configs.
reference-pages: $(READY)
	@$(VENV)/bin/python -m docs.generate

# Ask a real model both ways, keep its replies, score them, and write docs/reference/results.md anew. SmolLM2 takes 40 minutes.
reference: build $(MODELS_READY)
	@$(MODELS_VENV)/bin/python -m results.reference --out "$$TOM_OUT" \
	$(if $(value MODEL),--model "$$TOM_MODEL") $(if $(value ROWS),--rows "$$TOM_ROWS")

# Train probes from scratch, and measure what they learn by the rows that they have seen. Takes hours.
curves: build $(TRAIN_READY)
	@$(TRAIN_VENV)/bin/python -m results.curves --out "$$TOM_OUT"

# Print how fast the parts are on this machine.
bench: $(READY)
	@$(VENV)/bin/python tests/bench/mindgames.py $(if $(value PROBLEMS),"$$TOM_PROBLEMS")
	@for name in hi_tom rounds difficulty streams explanations replies rewards builds before; do \
	$(VENV)/bin/python tests/bench/$$name.py || exit; done

# Write the task files for lm-evaluation-harness, all of them from one description.
tasks: $(READY)
	@$(VENV)/bin/python -m tasks.lm_eval._generate

# For maintainers: write the pilot of order blocks, and the hashes that streams skip.
seal: $(READY)
	@$(RUN) seal

# Read the code for faults of style, and check its types. A type checker finds a package by its name, so the folder of
# modules gets that name first.
lint: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	@mkdir -p .build/types && ln -sfn ../../builders .build/types/tom_datasets
	$(VENV)/bin/mypy

INSTALL = $(VENV)/bin/python -m pip --python $(@D)/bin/python install --quiet --disable-pip-version-check
$(READY): requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"error: Python 3.11 or newer is needed, $(PYTHON) is {sys.version.split()[0]}; say make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear $(@D)
	$(INSTALL) pip==26.3 # the pip that comes with a Python takes two to three times as long
	$(INSTALL) --no-compile -r $<
	PYTHONWARNINGS=ignore $(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(EVAL_READY): requirements-eval.txt
$(LIGHTEVAL_READY): requirements-lighteval.txt
$(OPENENV_READY): requirements-openenv.txt
$(TRAIN_READY): requirements-train.txt
$(MODELS_READY): requirements-models.txt
$(DOCS_READY): requirements-docs.txt
# Environments stand on others, so that pip installs only what those lack; what of theirs conflicts is not used above.
$(LIGHTEVAL_READY): $(TRAIN_READY)
$(MODELS_READY): $(TRAIN_READY) $(EVAL_READY)
$(MODELS_READY): WITHOUT := --no-deps
$(EVAL_READY) $(LIGHTEVAL_READY) $(OPENENV_READY) $(TRAIN_READY) $(MODELS_READY) $(DOCS_READY): $(READY)
	$(PYTHON) -m venv --clear --without-pip $(@D)
	@for below in $(patsubst %/.ready,%,$(filter %/.ready,$^)); do $(@D)/bin/python -c 'import pathlib, sys, sysconfig; \
	own = sysconfig.get_path("purelib"); below = pathlib.Path(sys.argv[1]).absolute(); \
	pathlib.Path(own, f"below{below.name}.pth").write_text(f"import site; site.addsitedir({own.replace(sys.prefix, str(below))!r})\n")' \
	$$below || exit; done
	$(INSTALL) --no-compile --no-warn-conflicts $(WITHOUT) -r $(filter %.txt,$^)
	@touch $@

# Delete what builds wrote in OUT, or that of DATASET only. Without OUT and DATASET, delete .venv and caches too.
clean:
	@left=0; if [ -x $(VENV)/bin/python ]; then $(RUN) clean $(DATASET) --out "$$TOM_OUT" || left=1; \
	else for name in $(or $(DATASET),hi_tom mindgames); do if [ -e "$$TOM_OUT/$$name/build.json" ]; then left=1; \
	echo "error: $$TOM_OUT/$$name stays: delete it by hand, $(VENV) is gone already" >&2; fi; done; fi; \
	if [ -z "$(DATASET)" ] && [ "$$TOM_OUT" = . ]; then \
	rm -rf $(VENV) .venvs .pytest_cache .ruff_cache .hypothesis .coverage* disagreements.jsonl unread.jsonl .build *.egg-info; \
	find . -name __pycache__ -prune -exec rm -rf {} +; fi; exit $$left

# Print this help.
help:
	@awk '/^# / { said = said " " substr($$0, 3); next } \
	/^[a-z-]+:/ && said { sub(/:.*/, ""); targets = targets sprintf("\n  %-17s%s", $$0, said) } \
	/^[A-Z_]+ \?=/ { texts[count += said != ""] = texts[count] said; names[count] = names[count] " " $$1 } \
	{ said = "" } END { print "Targets:" targets "\n\nVariables, as in make build SEED=7:"; \
	for (i = 1; i <= count; i++) print " " names[i] ":" texts[i] }' Makefile
