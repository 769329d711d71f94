// Loads lib/ and writes the heap to a file: a step of the build.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "rondo/loop.h"

#include "runtime/engine/environment.h"
#include "runtime/engine/host/platform.h"
#include "runtime/engine/world.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  rondo::Platform& platform = rondo::Platform::instance();
  rondo::Loop loop;
  v8::Isolate* isolate = v8::Isolate::Allocate();
  platform.enter(isolate, loop);
  v8::SnapshotCreator creator(isolate, rondo::external_references().data());
  {
    rondo::Environment environment(loop, isolate, {});
    const v8::HandleScope scope(isolate);
    const v8::Local<v8::Function> start = rondo::make_world(environment, false);
    const v8::Local<v8::Context> context = environment.context();
    creator.SetDefaultContext(rondo::new_context(isolate));
    creator.AddContext(context);
    creator.AddData(context, start);
  }
  // The functions stay compiled: what was used to start is what will be used to start.
  const v8::StartupData blob = creator.CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
  const std::unique_ptr<const char[]> data(blob.data);
  if (blob.raw_size == 0) {
    std::fprintf(stderr, "%s: V8 made no snapshot\n", argv[0]);
    return 1;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file.write(blob.data, blob.raw_size);
  file.close();
  if (!file) {
    std::fprintf(stderr, "%s: cannot write %s\n", argv[0], argv[1]);
    return 1;
  }
  std::fflush(nullptr);
  std::_Exit(0);
}
