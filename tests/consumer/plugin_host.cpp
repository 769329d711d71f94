// Knows nothing of Rondo: loads a shared object that does.
#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  void* plugin = ::dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::puts(::dlerror());
    return 1;
  }
  reinterpret_cast<void (*)()>(::dlsym(plugin, "run_plugin"))();
}
