// Memory of an addon that ArrayBuffers look at. When the last of them is gone, on whatever thread
// that happens, the addon's finalizer is called on its own; at the latest when its environment
// ends.
#pragma once

#include <v8.h>

#include <cstddef>
#include <memory>

#include "runtime/napi/env.h"

namespace rondo::napi {

class ExternalMemory : public Linked<ExternalMemory> {
 public:
  static std::unique_ptr<v8::BackingStore> make(napi_env env, void* data, std::size_t length,
                                                napi_finalize finalizer, void* hint);
  ~ExternalMemory() { take_out(); }
  ExternalMemory(const ExternalMemory&) = delete;
  ExternalMemory& operator=(const ExternalMemory&) = delete;

  /// Calls the finalizer, if it was not called yet.
  void close();

 private:
  ExternalMemory(napi_env env, void* data, napi_finalize finalizer, void* hint);
  void released();

  napi_env env_;  // null once the finalizer was called
  std::shared_ptr<LoopLink> link_;
  void* data_;
  napi_finalize finalizer_;
  void* hint_;
};

}  // namespace rondo::napi
