// The short way from console.log() and process.stdout.write() to write(2).
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/streams/descriptor_handle.h"
#include "runtime/streams/stream_handle.h"

namespace rondo {
namespace {

/// Writes all of it, now. The number of bytes, or a negative errno.
void write_all(const Arguments& args, bool add_newline) {
  if (!args[0]->IsInt32() || !args[1]->IsString()) return;
  const EncodedString text(args.GetIsolate(), args[1].As<v8::String>(), EncodedString::As::utf8,
                           add_newline);
  const iovec piece = text.piece();
  const int fd = args[0].As<v8::Int32>()->Value();
  Environment::of(args.GetIsolate()).output_follows(fd);
  const std::int32_t status = write_fully(fd, {&piece, 1});
  args.GetReturnValue().Set(status < 0 ? status : static_cast<std::int32_t>(piece.iov_len));
}

// (fd, text)
void write_text(const Arguments& args) {
  write_all(args, false);
}

// (fd, text): and the end of a line
void write_line(const Arguments& args) {
  write_all(args, true);
}

constexpr Method kMethods[] = {{"writeText", write_text}, {"writeLine", write_line}};

}  // namespace

extern const Binding binding_stdio;
const Binding binding_stdio{"stdio", kMethods};

}  // namespace rondo
