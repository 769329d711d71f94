#include "lens/explain/text_pool.h"

namespace rondo::lens {

namespace {

constexpr std::size_t kMostTexts = 20'000;  // the program decides how many there are

}  // namespace

const std::string* TextPool::find(std::string_view text) {
  static const std::string kNone;
  if (text.empty()) return &kNone;
  // Mostly it is one of the last few.
  for (const std::string* recent : recent_) {
    if (recent != nullptr && *recent == text) return recent;
  }
  auto found = texts_.find(text);
  if (found == texts_.end()) {
    if (texts_.size() == kMostTexts) return nullptr;
    found = texts_.emplace(text).first;
  }
  recent_[next_recent_++ % recent_.size()] = &*found;
  return &*found;
}

const std::string* TextPool::pooled(std::string_view text) {
  static const std::string kOther = "(somewhere)";
  const std::string* found = find(text);
  return found != nullptr ? found : &kOther;
}

PooledText TextPool::to_text(std::string_view text) {
  static const std::string kOwn;
  if (const std::string* found = find(text)) return {found};
  return {&kOwn, std::make_shared<const std::string>(text)};
}

PooledSite TextPool::pooled(const Site& site) {
  return {pooled(site.file), pooled(site.function), site.line, site.column};
}

}  // namespace rondo::lens
