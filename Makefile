# Every target first brings the environment it needs up to date.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help setup run worker demo box test chaos record check format bench lock

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
TEMPLATES := $(wildcard platform/templates/*.html platform/templates/*/*.html)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export UV_SYSTEM_CERTS := 1
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | expand -t 10

setup: .venv/dev ## install all that is needed to run, test and check
	@echo "Ready. Next: make run"

run: .venv/runtime ## run the site, a worker and all they need, until Ctrl-C
	@$(BIN)/python -m deploy.run

worker: .venv/runtime ## play for a site elsewhere, as docs/hosting.md says
	@$(BIN)/python -m deploy.container worker

demo: .venv/runtime ## play a demonstration game in the terminal
	@$(BIN)/kibitz play sticheln good simple random random --legs 1 --watch
	@printf '%s\n' "" "That was one leg. Where next:" \
		"  $(BIN)/kibitz play stop-it good simple random    a whole match, every player from every seat" \
		"  $(BIN)/kibitz --help                             what else there is" \
		"  docs/first-bot.md                                   a bot of your own in five minutes"

box: .venv/runtime ## make the image that bots run in
	@$(BIN)/python -m sandbox.image

test: .venv/dev ## run the tests
	$(BIN)/python -m tests.services -n auto

chaos: ROUNDS ?= 3
chaos: .venv/dev ## soak, kill and repeat for half an hour or so; ROUNDS=3
	$(BIN)/python -m tests.services -m chaos
	for round in $$(seq $(ROUNDS)); do \
		$(BIN)/python -m tests.services tests/sandbox tests/workers -n auto || exit 1; \
	done

record: .venv/dev ## record the playthroughs anew; review the diff
	RECORD_PLAYTHROUGHS=1 $(BIN)/python -m pytest tests/games/test_playthroughs.py

check: .venv/dev ## lint, check types, imports, templates and migrations
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	PYTHONPATH=platform $(BIN)/lint-imports
	$(if $(TEMPLATES),$(BIN)/djlint --quiet --lint $(TEMPLATES))
	$(if $(TEMPLATES),$(BIN)/djlint --quiet --check $(TEMPLATES))
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run

format: .venv/dev ## lay out the code and mend what can be mended
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format
	$(if $(TEMPLATES),$(BIN)/djlint --quiet --reformat $(TEMPLATES) || true) # 1: it changed some

bench: .venv-bench/runtime ## measure speed, in an environment of its own
	.venv-bench/bin/python -m bench

lock: export UV_CUSTOM_COMPILE_COMMAND := make lock
lock: .venv/dev ## renew the locked requirements from pyproject.toml
	$(LOCK) pyproject.toml --output-file requirements.txt
	$(LOCK) --group dev --constraint requirements.txt --output-file requirements-dev.txt
	$(LOCK) --group bench --constraint requirements.txt --output-file bench/requirements.txt

# `made` says that an environment is whole. It is taken away while packages change, so an
# interrupted installation is begun again from nothing. uv is several times faster than pip,
# but only pip knows the mirrors named in pip's own settings.
define install
	@echo "Installing into $(@D) ..."
	@mv $(@D)/made $(@D)/changing
	@install() { \
		$(@D)/bin/uv pip install --python $(@D) --quiet "$$@" && return; \
		echo "Trying again with pip ..."; \
		$(@D)/bin/python -m pip install --quiet "$$@"; \
	}; \
	install --require-hashes $(patsubst %,-r %,$(filter %.txt,$^)) && install --no-deps --editable .
	@mv $(@D)/changing $(@D)/made
	@touch $@
endef

.venv/runtime: requirements.txt pyproject.toml .venv/made
	$(install)

.venv/dev: requirements.txt requirements-dev.txt .venv/runtime
	$(install)

.venv-bench/runtime: requirements.txt bench/requirements.txt pyproject.toml .venv-bench/made
	$(install)

.venv/made .venv-bench/made:
	@[ -n "$(PYTHON)" ] || { echo "Kibitz needs Python 3.11 or newer, and none was found." \
		"Install one, or name it: make setup PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make a virtual" \
		"environment. On Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(@D)
	@sed -n '/^uv==/,/# via/p' requirements-dev.txt > $(@D)/uv.txt
	@$(@D)/bin/python -m pip install --quiet --require-hashes -r $(@D)/uv.txt
	@touch $@
