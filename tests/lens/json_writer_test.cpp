#include "lens/json_writer.h"

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace rondo::lens {
namespace {

using namespace std::string_view_literals;

std::pair<std::string, bool> written(std::string_view text) {
  std::string out;
  const bool is_utf8 = append_json_string(out, text);
  return {out, is_utf8};
}

TEST(JsonWriter, StringsAreEscaped) {
  EXPECT_EQ(written("a\"b\\c\n\r\t\x01\x7f\0z"sv),
            std::pair(std::string(R"("a\"b\\c\n\r\t\u0001\u007f\u0000z")"), true));
  EXPECT_EQ(written("</script><!--"), std::pair(std::string(R"("\u003c/script>\u003c!--")"), true));
}

TEST(JsonWriter, Utf8IsKept) {
  // The first and the last of each length, and the neighbours of the surrogates.
  const std::string_view text =
      "\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf"
      "\xbf";
  EXPECT_EQ(written(text), std::pair('"' + std::string(text) + '"', true));
}

TEST(JsonWriter, WhatIsNotUtf8IsReplaced) {
  const auto replaced = [](int count) {
    std::string text = "\"";
    for (int i = 0; i < count; ++i) text += "\xef\xbf\xbd";
    return std::pair(text + '"', false);
  };
  EXPECT_EQ(written("\xff"), replaced(1));
  EXPECT_EQ(written("\x80"), replaced(1)) << "goes on with nothing";
  EXPECT_EQ(written("\xc0\xaf"), replaced(2)) << "longer than needed";
  EXPECT_EQ(written("\xe0\x9f\xbf"), replaced(3)) << "longer than needed";
  EXPECT_EQ(written("\xf0\x8f\xbf\xbf"), replaced(4)) << "longer than needed";
  EXPECT_EQ(written("\xed\xa0\x80"), replaced(3)) << "half of a surrogate pair";
  EXPECT_EQ(written("\xf4\x90\x80\x80"), replaced(4)) << "after the last character";
  EXPECT_EQ(written("\xe2\x82"), replaced(2)) << "cut off";
  EXPECT_EQ(written("\xc3("), std::pair(std::string("\"\xef\xbf\xbd(\""), false));
}

TEST(JsonWriter, CommasAndLines) {
  JsonWriter json;
  json.open('{');
  json.field("a", 1);
  json.key("list");
  json.open('[');
  json.line();
  json.value("x");
  json.line();
  json.value(true);
  json.null();
  json.open('[');
  json.close(']');
  json.number("1.5");
  json.close(']');
  json.field("b", std::string("y"));
  json.close('}');
  EXPECT_EQ(json.take(), "{\"a\":1,\"list\":[\n\"x\",\ntrue,null,[],1.5],\"b\":\"y\"}");
}

}  // namespace
}  // namespace rondo::lens
