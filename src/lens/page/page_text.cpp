#include "lens/page/page_text.h"

namespace rondo::lens {

namespace {

constexpr std::string_view kStyleLink = "<link rel=\"stylesheet\" href=\"style.css\">";
constexpr std::string_view kScriptLink = "<script src=\"page.js\" defer></script>";

void replace(std::string& text, std::string_view what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at != std::string::npos) text.replace(at, what.size(), by);
}

}  // namespace

std::string page_text(std::string_view nonce) {
  std::string text(kPageHtml);
  const std::string attribute = " nonce=\"" + std::string(nonce) + "\">\n";
  replace(text, kStyleLink, "<style" + attribute + std::string(kPageStyle) + "</style>");
  replace(text, kScriptLink, "<script" + attribute + std::string(kPageScript) + "</script>");
  return text;
}

}  // namespace rondo::lens
