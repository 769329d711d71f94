#include "runtime/glue/cloneable.h"

#include "runtime/messaging/messaging_hooks.h"

namespace rondo {

Cloneable::Cloneable(Environment& environment, v8::Local<v8::Object> object)
    : Wrapped(environment, object) {
  set_host_kind(environment, object, HostKind::native);
}

}  // namespace rondo
