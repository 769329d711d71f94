# The commands of this repository; `make help` lists them. CMake does the building (CMakePresets.json);
# this file only sets the machine up, calls it, and adds the results together.

SHELL   := /bin/bash
JOBS    ?= $(shell nproc)
PRESETS := release debug asan tsan
# What `make test` runs. Not debug: its assertions are in asan and tsan as well, and it would add minutes.
TESTED  := release asan tsan
# The backend of `make check`.
BACKEND := uring
# The version of clang-format and clang-tidy; scripts/setup.sh installs the same.
LLVM    := 19

heading = @printf '\n==== %s ====\n' "$(1)"

.DEFAULT_GOAL := help
.PHONY: help setup setup-run setup-lint run check test record package docs bench format lint clean test-consumer \
        $(PRESETS:%=build-%) $(PRESETS:%=test-%)
# Keep the build files, which make would take for intermediate ones.
.SECONDARY:

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | column -ts '|'
	@echo
	@echo '  make build-P, make test-P: one preset P of: $(PRESETS)'

# Configured without tests and benchmarks, which need GoogleTest, libuv and Asio, unless they are there already.
run: setup-run ## set up what running needs, build, and walk through the loop, in C++ and in JavaScript
	@[[ -f build/release/build.ninja ]] || \
	  { echo 'run: configure'; cmake --preset release -D RONDO_BUILD_HTTP=OFF -D RONDO_BUILD_TLS=OFF -D RONDO_BUILD_TESTS=OFF -D RONDO_BUILD_BENCH=OFF --log-level=WARNING; }
	@echo 'run: build the command and the tour (about 4 minutes on 2 cores the first time)'
	@cmake --build --preset release --parallel $(JOBS) --target example_tour rondo
	@build/release/examples/tour
	@echo
	@build/rondo examples/js/tour.js
	@echo
	@echo 'And what the loop did in one of them, by: rondo explain examples/js/immediate_inside_io.js'
	@echo
	@build/rondo explain examples/js/immediate_inside_io.js

# For the inner loop: one preset, one backend, without the tests that take long (browser, random programs, packages).
check: build-release ## build, and the tests of one backend, in a few minutes: make check BACKEND=epoll
	$(call heading,release: tests of $(BACKEND))
	@ctest --preset release --parallel $(JOBS) --label-regex '^$(BACKEND)$$' --label-exclude 'browser|random'

# Every preset is tried, whatever happened to the one before. The sum comes from the JUnit reports that
# ctest writes. A preset that leaves none (it did not build), or that failed without a failed test, counts
# as one failure, so that no failure is hidden by a zero.
test: setup ## set up, then build and test: optimised, and under sanitizers
	@echo 'make test builds and tests $(words $(TESTED)) presets one after the other: $(TESTED).'
	@echo 'Every test runs on both backends, io_uring and epoll. Expect 40 to 50 minutes on 2 idle cores; `make check` is the short form.'
	@rm -f $(TESTED:%=build/%/junit.xml); \
	passed=0; failed=0; skipped=0; times=; \
	for preset in $(TESTED); do \
	  begin=$$SECONDS; \
	  status=0; $(MAKE) --no-print-directory test-$$preset || status=1; \
	  report=build/$$preset/junit.xml; p=0; f=0; s=0; \
	  if [[ -f $$report ]]; then \
	    read -r p f s < <(awk -F'"' 'FNR <= 10 { n[$$1] += $$2 } END { \
	      s = n["\tskipped="] + n["\tdisabled="]; f = n["\tfailures="]; \
	      print n["\ttests="] - f - s, f + 0, s }' $$report); \
	  fi; \
	  if ((status && f == 0)); then echo "$$preset: failed outside of its tests"; f=1; fi; \
	  ((passed += p, failed += f, skipped += s)); \
	  times+="$$preset $$(((SECONDS - begin + 30) / 60)) min, "; \
	done; \
	printf '\n==== all presets: %s ====\n' '$(TESTED)'; \
	awk -f scripts/failed_tests.awk $$(find $(TESTED:%=build/%/junit.xml) 2>/dev/null) </dev/null; \
	echo "$${times%, }"; \
	if ((skipped)); then echo "$$skipped skipped"; fi; \
	echo "$$passed passed, $$failed failed"; \
	((failed == 0 && passed > 0))

$(PRESETS:%=build-%): build-%: build/%/configured
	$(call heading,$*: build)
	@cmake --build --preset $* --parallel $(JOBS)

# ThreadSanitizer of g++ 12 cannot start where the kernel randomises more address bits than it expects, so
# it runs without randomisation where that is allowed.
test-tsan: launcher = $(shell setarch -R true 2>/dev/null && echo setarch -R)
$(PRESETS:%=test-%): test-%: build-%
	$(call heading,$*: test)
	@$(launcher) ctest --preset $* --parallel $(JOBS) --output-junit junit.xml

record: build/release/configured ## record what Node 26.10 prints for tests/node; a part of it: make record ONLY=tests/node/timers
	@cmake --build --preset release --parallel $(JOBS) --target node_test_runner
	@scripts/record_node_tests.sh $(ONLY)

test-consumer: build-release ## only: install, and build a foreign project on it
	@ctest --preset release --tests-regex '^consumer$$'

package: build/release/configured ## a .deb and a .tar.gz in build/package, with the licences of everything inside
	@cmake --build --preset release --parallel $(JOBS) --target rondo rondo_loop_shared rondo_lens_shared rondo_http rondo_tls
	@rm -rf build/package
	@cpack --config build/release/CPackConfig.cmake
	@rm -rf build/package/_CPack_Packages

docs: ## the C++ API and the guides as a site in build/docs
	@scripts/setup.sh docs
	@scripts/make_docs.sh

bench: build/release/configured ## compare with libuv, Node, Bun and Deno; a part of it: make bench ROWS=timers
	@cmake --build --preset release --parallel $(JOBS) --target rondo rondo_bench rondo_bench_js
	@ROWS='$(ROWS)' scripts/bench.sh
	@ROWS='$(ROWS)' scripts/bench_js.sh

sources = $(shell find $(wildcard include src tests examples bench) -name '*.h' -o -name '*.cpp')

format: setup-lint ## lay out all C++ files
	@clang-format-$(LLVM) -i $(sources)

# Nothing is compiled for this, but a file that is new has to get into the list that clang-tidy reads.
lint: setup-lint build/release/configured ## check layout, run clang-tidy (for many minutes) and ESLint
	@cmake --build --preset release --parallel $(JOBS) --target rondo
	@build/rondo build/packages/node_modules/eslint/bin/eslint.js .
	@clang-format-$(LLVM) --dry-run --Werror $(sources)
	@cmake --build --preset release --target build.ninja >/dev/null
	@run-clang-tidy-$(LLVM) -clang-tidy-binary clang-tidy-$(LLVM) -p build/release -j $(JOBS) -quiet

clean: ## remove everything that was built
	@rm -rf build

setup-run:
	@scripts/setup.sh run
	@scripts/fetch_js.sh build/js
	@scripts/fetch_js.sh build/engine deps/engine
	@scripts/fetch_streams.sh build/streams build/engine

setup: setup-run
	@scripts/setup.sh build
	@scripts/fetch_js.sh build/browser tests/browser
	@scripts/fetch_js.sh build/packages tests/packages

setup-lint: setup
	@scripts/setup.sh lint

# Configured once, with everything that the preset says (`make run` may have left parts out); from then on ninja sees by
# itself when a CMakeLists.txt or a list of files changes.
build/%/configured: CMakePresets.json | setup
	$(call heading,$*: configure)
	@cmake --preset $* --log-level=WARNING
	@touch $@
