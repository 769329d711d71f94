// Writes JSON piece by piece.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace rondo::lens {

/// A string of JSON. Bytes that are not UTF-8 become U+FFFD; false if there were such. `<` is
/// written as an escape, so that no text can end the <script> that contains the document.
bool append_json_string(std::string& out, std::string_view text);

class JsonWriter {
 public:
  void open(char bracket) {
    comma();
    text_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    text_ += bracket;
    first_ = false;
  }
  void key(std::string_view name) {
    comma();
    append_json_string(text_, name);
    text_ += ':';
    first_ = true;  // its value follows without a comma
  }
  bool value(std::string_view text) {
    comma();
    return append_json_string(text_, text);
  }
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::integral auto number) {
    comma();
    text_ += std::to_string(number);
  }
  void value(bool yes) {
    comma();
    text_ += yes ? "true" : "false";
  }
  void null() {
    comma();
    text_ += "null";
  }
  /// A number that is written already.
  void number(std::string_view digits) {
    comma();
    text_ += digits;
  }
  template <typename T>
  void field(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  /// Between two elements of a long list: makes the document readable and comparable.
  void line() { line_ = true; }

  std::string take() { return std::move(text_); }

 private:
  void comma() {
    if (!first_) text_ += ',';
    first_ = false;
    if (std::exchange(line_, false)) text_ += '\n';
  }

  std::string text_;
  bool first_ = true;
  bool line_ = false;
};

}  // namespace rondo::lens
