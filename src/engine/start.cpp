// librondo_start.so: the engine file calls its __libc_start_main() instead of the C library's, and
// so a program of ours begins, and not Node. The program is a shared object of the name of the
// executable with
// ".so" appended, in the same folder, or in ../lib/rondo if that is where programs are installed.
#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using Main = int (*)(int, char**, char**);
using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

std::string path_of_executable() {
  std::array<char, 4096> path;
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length > 0) return {path.data(), static_cast<std::size_t>(length)};
  // Where there is no /proc.
  return reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
}

void* load_program(const std::string& executable) {
  const std::size_t slash = executable.rfind('/') + 1;
  const std::string beside = executable + ".so";
  const std::string installed =
      executable.substr(0, slash) + "../lib/rondo/" + executable.substr(slash) + ".so";
  for (const std::string& path : {beside, installed}) {
    if (::access(path.c_str(), F_OK) != 0) continue;
    // Lazy: a program refers to more than a thousand functions of V8 and calls some hundred of
    // them.
    if (void* program = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL)) return program;
    std::fprintf(stderr, "%s: %s\n", executable.c_str(), ::dlerror());
    std::exit(127);
  }
  std::fprintf(stderr, "%s: neither %s nor %s is there\n", executable.c_str(), beside.c_str(),
               installed.c_str());
  std::exit(127);
}

int run_program(int argc, char** argv, char** environment) {
  const std::string executable = path_of_executable();
  const auto program = reinterpret_cast<Main>(::dlsym(load_program(executable), "main"));
  if (program == nullptr) {
    std::fprintf(stderr, "%s: %s\n", executable.c_str(), ::dlerror());
    std::exit(127);
  }
  return program(argc, argv, environment);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int __libc_start_main(
    Main /*node*/, int argc, char** argv, void (* /*init*/)(), void (* /*fini*/)(),
    void (*loader_end)(), void* stack_end) {
  const auto start = reinterpret_cast<StartMain>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  // Without an `init`, the C library runs the functions of .init_array; the one that the executable
  // loads would also run those that make_engine has dropped.
  return start(run_program, argc, argv, nullptr, nullptr, loader_end, stack_end);
}
