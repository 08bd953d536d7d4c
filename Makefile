# Tileclock: `make demo` to play, `make test` to prove. Both set up what they need.
.PHONY: help setup setup-test demo test lint bench clean
bin := .venv/bin

help:
	@echo "make demo    play on the table clock, and challenge at the station beside it"
	@echo "make test    lint, types, import arrows and the whole test suite"
	@echo "make bench   the figures of the README, measured here"
	@echo "make setup   only set up .venv and the Debian packages it needs"

setup:
	@.ci/setup

setup-test:
	@.ci/setup all

demo: setup
	@$(bin)/tilekiosk demo --beside

lint: setup
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports

test: setup-test lint
	$(bin)/python -m pytest -n 2

bench: setup-test
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(bin)/python -m pytest tests/benchmarks -s -p no:xdist --timeout 1800

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
