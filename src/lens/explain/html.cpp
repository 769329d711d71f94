#include "rondo/lens/explain_export.h"

#include "lens/explain/page.h"

namespace rondo::lens {

std::string to_html(const Explanation& story, const Explained& what) {
  const std::size_t at = kExplainPage.find(kExplainData);
  std::string page(kExplainPage.substr(0, at));
  page += to_json(story, what);
  page += kExplainPage.substr(at + kExplainData.size());
  return page;
}

}  // namespace rondo::lens
