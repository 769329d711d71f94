// Requests of JavaScript, each of which ends with one call: a file operation, a lookup. JavaScript
// keeps the callbacks, in a table of its own (lib/internal/native/requests.js); C++ knows their
// numbers.
//
//     Request request(args[0], args[1]);
//     std::move(operation).then(environment.loop(), [request](auto result) {
//       if (request.gone()) return;  // the environment did not wait for it
//       v8::HandleScope scope(request.environment().isolate());
//       request.succeed(...);
//     });
#pragma once

#include <v8.h>

#include <cstdint>
#include <memory>

#include "runtime/engine/environment.h"
#include "runtime/glue/wrapped.h"

namespace rondo {

/// The table, of which an environment has one: an object with a function (number, error, value).
class Requests final : public Wrapped {
 public:
  struct Link {
    Requests* requests;
    std::shared_ptr<Descriptors> descriptors;  // stay open while something is in progress
  };

  Requests(Environment& environment, v8::Local<v8::Object> object,
           v8::Local<v8::Function> dispatch);
  ~Requests() override;

  const std::shared_ptr<Link>& link() const noexcept { return link_; }
  void complete(std::uint32_t number, v8::Local<v8::Value> error, v8::Local<v8::Value> value);

 private:
  v8::Global<v8::Function> dispatch_;
  std::shared_ptr<Link> link_;
};

/// One line of it.
class Request {
 public:
  /// `table` is a Requests, `number` an unsigned integer.
  Request(v8::Local<v8::Value> table, v8::Local<v8::Value> number);

  bool gone() const noexcept { return link_->requests == nullptr; }
  Environment& environment() const noexcept { return link_->requests->environment(); }

  void succeed(v8::Local<v8::Value> value) const;
  void succeed() const;
  void fail(v8::Local<v8::Value> error) const;

 private:
  std::shared_ptr<Requests::Link> link_;
  std::uint32_t number_;
};

}  // namespace rondo
