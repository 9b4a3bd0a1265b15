# The commands of the README. Those that may install something call scripts/setup, each for what it needs;
# `make build` and cmake install nothing.
.PHONY: run build build-cuda test test-debug test-full test-asan test-tsan test-gpu test-gpu-sanitizers tidy format check-format bench docs clean
# Files compiled of all, their share, and seconds since the beginning.
export NINJA_STATUS = [%f/%t %p %es] $(empty)

run: setup-run build
	build/release/scree run scenes/channel-small.toml --out results/channel-small --force

build:
	cmake --preset release
	cmake --build --preset release --target scree

build-cuda:
	cmake --preset cuda
	cmake --build --preset cuda --target scree

test: setup-test
	scripts/test release

# What else continuous integration does: the second compiler, without optimisation and with assertions; each header
# by itself; address and undefined-behaviour sanitizers over what reads files; the thread sanitizer.
test-debug: setup-develop
	scripts/test dev
	cmake --build --preset dev --target bench/all headers
	scripts/test asan io checkpoint checkpoint_columns scene scene_fuzz
	scripts/test tsan exec world world_bits

test-full: test
	build/release/tests/full/contact_full
	build/release/tests/full/masonry_full
	build/release/tests/full/shapes_full 100000
	build/release/tests/fuzz/scene_fuzz 300
	ctest --preset release --build-config full --tests-regex 'scenes[.].*[.]short'

test-asan: setup-develop
	scripts/test asan

test-tsan: setup-develop
	scripts/test tsan

test-gpu: setup-test
	cmake --preset cuda
	cmake --build --preset cuda --target contact_gpu lists_gpu shapes_gpu world_gpu ranks
	build/cuda/tests/gpu/contact_gpu
	build/cuda/tests/gpu/lists_gpu
	build/cuda/tests/gpu/shapes_gpu
	build/cuda/tests/gpu/world_gpu
	tests/mpi/start mpirun 1 build/cuda/tests/mpi/ranks cuda --gtest_filter=-Ranks.Work*
	tests/mpi/start mpirun 3 build/cuda/tests/mpi/ranks cuda --gtest_filter=-Ranks.Work*

test-gpu-sanitizers: setup-test
	cmake --preset cuda
	cmake --build --preset cuda --target contact_gpu lists_gpu shapes_gpu world_gpu_short
	scripts/sanitize-gpu build/cuda/tests/gpu

tidy: setup-develop
	cmake --preset tidy
	cmake --build --preset tidy

format: setup-develop
	scripts/format

check-format: setup-develop
	scripts/format --check

bench: setup-run
	cmake --preset release
	cmake --build --preset release --target contact_bench
	build/release/bench/contact_bench

# The API reference, from the public headers: build/docs/html/index.html.
docs: setup-develop
	mkdir -p build/docs
	SCREE_VERSION=$$(sed -n 's/^project(scree VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt) doxygen docs/api/Doxyfile

setup-%:
	@scripts/setup $*

clean:
	rm -rf build
