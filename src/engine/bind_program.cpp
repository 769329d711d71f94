// bind_program PROGRAM ENGINE: PROGRAM is what the linker has made of a program, and will run on
// the engine file ENGINE only.
#include <cstdio>
#include <exception>

#include "engine/image_files.h"
#include "engine/program_binding.h"

int main(int argc, char** argv) {
  using namespace rondo::engine;
  if (argc != 3) {
    std::fprintf(stderr, "usage: bind_program PROGRAM ENGINE\n");
    return 2;
  }
  try {
    ProgramImage program(read_file(argv[1]));
    program.bind(EngineExports(read_file(argv[2])));
    write_executable(argv[1], program.bytes());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bind_program: %s on %s: %s\n", argv[1], argv[2], error.what());
    return 1;
  }
}
