// How the functions and jobs of the binding read their arguments. lib/ has checked the types.
#pragma once

#include <v8.h>

#include <limits>
#include <string>

#include "runtime/crypto/bytes.h"
#include "runtime/crypto/errors.h"
#include "runtime/crypto/job.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"

namespace rondo::crypto {

inline std::uint32_t uint32_at(const Arguments& args, int index) {
  return args[index].As<v8::Uint32>()->Value();
}
inline std::int32_t int32_at(const Arguments& args, int index) {
  return args[index].As<v8::Int32>()->Value();
}
inline std::string text_at(const Arguments& args, int index) {
  return to_text(args.GetIsolate(), args[index]);
}

/// Bytes for a job: of a buffer, a view or the handle of a secret key. Nothing for undefined. False
/// with ERR_OUT_OF_RANGE under way if there are more than OpenSSL counts with an int.
inline bool read_bytes(const Arguments& args, int index, JobMode mode, ByteSource& out,
                       const char* message) {
  if (args[index]->IsUndefined()) return true;
  out = ByteSource(args.GetIsolate(), args[index], lifetime_for(mode));
  if (out.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return true;
  throw_range_error(Environment::of(args.GetIsolate()), "ERR_OUT_OF_RANGE", message);
  return false;
}

inline std::unique_ptr<JobTask> invalid_digest(const Arguments& args, const std::string& name) {
  throw_type_error(Environment::of(args.GetIsolate()), "ERR_CRYPTO_INVALID_DIGEST",
                   "Invalid digest: " + name);
  return nullptr;
}

}  // namespace rondo::crypto
