#include "rondo/lens/page.h"

#include "lens/page/access_check.h"
#include "lens/page/server.h"

namespace rondo::lens {

Page::Page(Lens& lens, PageOptions options)
    : metrics_(lens),
      token_(make_token()),
      server_(std::make_unique<Server>(lens, metrics_, token_, options)),
      address_("http://127.0.0.1:" + std::to_string(port()) + "/?token=" + token_) {
  metrics_.on_end([this] { server_->report_end(); });
}

Page::~Page() {
  metrics_.on_end(nullptr);
}

std::uint16_t Page::port() const noexcept {
  return server_->port();
}

}  // namespace rondo::lens
