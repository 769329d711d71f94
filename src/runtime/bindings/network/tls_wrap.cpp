// The binding `tls_wrap`: TLS connections above other streams. The class is in ../tls/. It is made
// at its first use, so it is not in the snapshot.
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/tls/tls_stream.h"

namespace rondo {
namespace {

void extend(Environment& environment, v8::Local<v8::Object> target) {
  TlsStream::add(environment, target);
  set_value(environment, target, "HAVE_SSL_TRACE", 1);
}

}  // namespace

extern const Binding binding_tls_wrap;
const Binding binding_tls_wrap{"tls_wrap", {}, extend};

}  // namespace rondo
