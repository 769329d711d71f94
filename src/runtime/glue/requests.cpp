#include "runtime/glue/requests.h"

namespace rondo {

Requests::Requests(Environment& environment, v8::Local<v8::Object> object,
                   v8::Local<v8::Function> dispatch)
    : Wrapped(environment, object),
      dispatch_(environment.isolate(), dispatch),
      link_(std::make_shared<Link>(this, environment.descriptors())) {
  hold();  // as long as the environment is there
}

Requests::~Requests() {
  link_->requests = nullptr;
}

void Requests::complete(std::uint32_t number, v8::Local<v8::Value> error,
                        v8::Local<v8::Value> value) {
  v8::Isolate* isolate = environment().isolate();
  environment().call(object(), dispatch_.Get(isolate),
                     {v8::Integer::NewFromUnsigned(isolate, number), error, value});
}

Request::Request(v8::Local<v8::Value> table, v8::Local<v8::Value> number)
    : link_(Wrapped::from<Requests>(table)->link()), number_(number.As<v8::Uint32>()->Value()) {}

void Request::succeed(v8::Local<v8::Value> value) const {
  link_->requests->complete(number_, v8::Null(environment().isolate()), value);
}

void Request::succeed() const {
  succeed(v8::Undefined(environment().isolate()));
}

void Request::fail(v8::Local<v8::Value> error) const {
  link_->requests->complete(number_, error, v8::Undefined(environment().isolate()));
}

}  // namespace rondo
