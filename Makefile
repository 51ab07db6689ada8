# Everything a newcomer needs: `make demo`, then `make test`. The rest is for those who stay.
PY := .venv/bin/python
export PYTHONDONTWRITEBYTECODE :=
UV := $(or $(shell command -v uv 2>/dev/null),.cache/uv/bin/uv)

.PHONY: demo test setup lint bench models soak claims compare-table web-debian clean requirements
.DEFAULT_GOAL := demo

demo: .cache/run.done
	@.venv/bin/scrapy demo
	@command -v scrapy >/dev/null || echo "scrapy is in .venv/bin: '. .venv/bin/activate' puts it on the path of this terminal"

test: .cache/test.done
	@$(PY) -m pytest -n 3 --dist loadfile

lint: .cache/test.done
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports

bench: .cache/test.done
	@$(PY) -m tests.bench

soak: .cache/test.done
	@$(PY) -m tests.faults.soak_kill
	@$(PY) -m tests.faults.soak_polite
	@$(PY) -m tests.faults.soak_websites
	@$(PY) -m tests.faults.soak_render
	@$(PY) -m tests.faults.soak_fleet
	@$(PY) -m tests.faults.soak_orderings

# What the papers claim → docs/claims.md. Under an hour on two cores; what was run before with the same code is kept.
claims: .cache/test.done
	@.venv/bin/scrapy claims $(if $(ONLY),--only $(ONLY))

# All orderings on three webs → docs/compare.md. Webs that are not there are left out with a sentence.
compare-table: .cache/test.done
	@.venv/bin/scrapy standings

# How good each kind of page model is → docs/model-table.md (some minutes; of corpora that are not there the old figures stay).
models: .cache/test.done
	@$(PY) -m scripts.model_table

# A real web of 511 documentation sites, rebuilt from Debian's packages (0.5 GB to fetch, some minutes).
web-debian: .cache/run.done
	@$(PY) scripts/web_debian.py

setup: .cache/test.done

# What a crawl needs; a second run finds the stamp and costs nothing.
.cache/run.done: requirements.txt
	@scripts/setup run
	@touch $@

# What the tests need besides: linters, a browser, WordNet, PostgreSQL. Stamped by the script, once nothing is missing.
.cache/test.done: .cache/run.done requirements-dev.txt scripts/setup scripts/wordnet.py
	@scripts/setup test

# Pins: versions only, no index lines, no host names.
requirements:
	$(UV) pip compile -q --upgrade --no-header --no-annotate --no-emit-index-url --python-version 3.11 requirements.in -o requirements.txt
	$(UV) pip compile -q --upgrade --no-header --no-annotate --no-emit-index-url --python-version 3.11 requirements-dev.in -o requirements-dev.txt

clean:
	rm -rf .venv .cache build dist *.egg-info
