// JSON, written from the front to the end.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace rondo::lens {

class Json {
 public:
  Json& begin_object() { return open('{'); }
  Json& end_object() { return close('}'); }
  Json& begin_array() { return open('['); }
  Json& end_array() { return close(']'); }
  Json& key(std::string_view name) {
    value(name);
    text_ += ':';
    is_first_ = true;  // no comma before the value
    return *this;
  }
  Json& value(std::string_view text);
  Json& value(const char* text) { return value(std::string_view(text)); }
  Json& value(std::same_as<bool> auto truth) { return raw(truth ? "true" : "false"); }
  Json& value(std::integral auto number)
    requires(!std::same_as<decltype(number), bool>)
  {
    return raw(std::to_string(number));
  }
  template <class Value>
  Json& member(std::string_view name, const Value& content) {
    return key(name).value(content);
  }
  const std::string& text() const noexcept { return text_; }

 private:
  void separate() {
    if (!is_first_) text_ += ',';
    is_first_ = false;
  }
  Json& raw(std::string_view text) {
    separate();
    text_ += text;
    return *this;
  }
  Json& open(char bracket) {
    separate();
    text_ += bracket;
    is_first_ = true;
    return *this;
  }
  Json& close(char bracket) {
    text_ += bracket;
    is_first_ = false;
    return *this;
  }

  std::string text_;
  bool is_first_ = true;
};

}  // namespace rondo::lens
