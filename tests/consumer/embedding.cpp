#include <rondo/loop.h>
#include <rondo/runtime.h>

int main() {
  rondo::Loop loop;
  rondo::Runtime runtime(loop);
  if (!runtime.evaluate("setTimeout(console.log, 1, 'the theme returns')")) return 1;
  return runtime.run();
}
