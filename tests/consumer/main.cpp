#include <chrono>
#include <cstdio>

#include <rondo/rondo.h>

int main() {
  rondo::Loop loop;
  loop.set_timeout(std::chrono::milliseconds(1), [] { std::puts("the theme returns"); });
  loop.run();
}
