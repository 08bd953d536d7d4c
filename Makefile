# Tileclock: `make demo` to play, `make test` to test. Both set up what they need.
.PHONY: help setup setup-test setup-machine setup-image demo demo-hall check check-tests test test-long tests coverage test-root lint bench wiring case deb image release docs test-kernel test-appliance test-glass test-image test-arm64 clean
bin := .venv/bin

# The tests start hundreds of processes: without bytecode each would compile the whole project anew.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make demo    play on the table clock, and challenge at the station beside it (DEBS=folder: from the packages in it)"
	@echo "make demo-hall   a whole hall on this machine: two clocks, a station, the broker and the director's desk"
	@echo "make check   lint, types, import arrows and the tests of what decides: rules, game, challenge, pages; under a minute on two quiet cores"
	@echo "make lint    lint, types and import arrows alone"
	@echo "make test    lint, types, import arrows and the whole test suite"
	@echo "make test-long       make test with all random cases, for an hour or so: before a release"
	@echo "make coverage        the whole suite once more, with the branches that it reaches and the ten least covered modules"
	@echo "make test-root       only the tests that need root, which an ordinary user's make test leaves out"
	@echo "make bench   the figures of docs/benchmarks.md, measured here"
	@echo "make wiring  wiring pictures, pin tables and parts lists, made anew from the boards"
	@echo "make case    the pieces of the case as STL, in build/case/"
	@echo "make docs    these documents as web pages, in build/docs/"
	@echo "make deb     the Debian packages, in dist/"
	@echo "make image   a flashable card for a clock (PROGRAM=tilekiosk: for a station), in dist/"
	@echo "make release  the files of a release: packages, images, documents, source, checksums, signature; in dist/tileclock-VERSION/"
	@echo "make test-kernel     the clock on the pins of a real kernel, in an emulated machine"
	@echo "make test-appliance  packages, units and power cuts in roots, containers and an emulated machine"
	@echo "make test-glass      the packages on an emulated machine with a panel, with touches, keys, presses and pictures (build/glass/)"
	@echo "make test-arm64      the packages and the project's tests on an emulated Pi's processor"
	@echo "make test-image      the card: built twice and compared, booted in emulated machines, written to cards that are too small"
	@echo "make clean   removes .venv, build/, dist/ and the tools' caches"
	@echo "make setup   only set up the demo: .venv and missing Debian packages"

setup:
	@.ci/setup

setup-test:
	@.ci/setup test

setup-machine:
	@.ci/setup machine

demo:
	@.ci/demo

demo-hall: setup
	@.ci/packages 'a hall on this machine' mosquitto
	@$(bin)/tilehall demo

lint: setup-test
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy
	$(bin)/lint-imports

cores := tests/rules tests/game tests/firmware/face tests/firmware/gestures tests/firmware/menu \
	tests/kiosk/challenge tests/kiosk/director tests/kiosk/face tests/kiosk/layout tests/kiosk/slip tests/kiosk/station \
	tests/test_cells.py tests/test_clauses.py tests/test_imports.py

check: setup-test
	$(MAKE) --jobs=2 lint check-tests

check-tests:
	$(bin)/python -m pytest -n 2 --dist worksteal $(cores)

coverage: setup-test
	$(bin)/python -m pytest -n 3 --dist worksteal --cov --cov-report=
	$(bin)/coverage report --sort=cover --skip-empty --skip-covered | sed -n 1,13p
	$(bin)/coverage report --format=total

# The types are checked on one processor; the tests begin beside that.
test: setup-test
	$(MAKE) --jobs=2 lint tests

test-long: export TILECLOCK_THOROUGH := 1
test-long: test

# Six workers on two processors: the tests wait for real events most of the time. In a new checkout each of them would compile all tests,
# so one process does that before. Tests that failed beside others run once more, alone:
# that tells a fault from a machine that was too busy. Both results are printed.
tests:
	@[ -d .pytest_cache ] || $(bin)/python -m pytest --collect-only -qq >/dev/null || true
	$(bin)/python -m pytest -n 6 --dist worksteal || $(bin)/python -m pytest --last-failed --last-failed-no-failures none -p no:xdist

test-root: setup-test
	$(bin)/python -m pytest -m needs_root

bench: setup-test
	@$(bin)/python -m pip install --quiet --disable-pip-version-check $$($(bin)/python .ci/group bench)
	$(bin)/python -m pytest tests/benchmarks -s -p no:xdist --timeout 1800

wiring: setup-test
	@$(bin)/python -m tools.wiring

case: setup-test
	@$(bin)/python -m tools.case.render build/case

# Warnings are errors, broken links too. Nothing is fetched.
docs:
	@.ci/setup docs
	@$(bin)/python -m sphinx --quiet --fail-on-warning --keep-going --jobs auto -c docs . build/docs
	@echo "build/docs/index.html"

deb:
	@.ci/deb

image:
	@.ci/image

release:
	@.ci/release

test-kernel: setup-machine
	$(bin)/python -m pytest tests/kernel -s -p no:xdist --timeout 1800

# Two workers: power cuts on one processor, packages and services on the other. In file order, so that the longest does not start last.
test-appliance: setup-machine
	$(bin)/python -m pytest tests/packaged -n 2 --dist loadfile --no-loadscope-reorder --timeout 1800

# Two machines at once: each uses one of this machine's processors.
test-glass: setup-machine
	$(bin)/python -m pytest tests/glass -n 2 --dist loadfile --no-loadscope-reorder --timeout 3600

test-arm64: setup-machine
	$(bin)/python -m pytest tests/packaged/arm64 -s -p no:xdist --timeout 3600

setup-image:
	@.ci/setup image

test-image: setup-image
	$(bin)/python -m pytest tests/image -s -p no:xdist --timeout 3600

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
