#include "runtime/messaging/lock_table.h"

#include <algorithm>
#include <utility>

namespace rondo {

class LockTable {
 public:
  using Mode = LockClient::Mode;
  using IfHeld = LockClient::IfHeld;
  using Event = LockClient::Event;

  static LockTable& instance() {
    // Never destroyed: threads may still run at the end of the process.
    static auto* const table = new LockTable;
    return *table;
  }

  void request(LockClient& client, const std::u16string& name, std::uint32_t number, Mode mode,
               IfHeld if_held) {
    const std::lock_guard guard(mutex_);
    Queue& queue = queues_[name];
    const Request request{&client, number, mode, ++last_order_};
    if (if_held == IfHeld::steal) {
      for (const Request& stolen : queue.held) {
        leave(*stolen.client, {Event::Kind::stolen, stolen.number}, client);
      }
      queue.held.clear();
      queue.pending.push_front(request);
    } else if (if_held == IfHeld::give_up && (!queue.pending.empty() || !fits(queue, request))) {
      leave(client, {Event::Kind::unavailable, number}, client);
    } else {
      queue.pending.push_back(request);
    }
    grant(name, client);
  }

  void release(LockClient& client, const std::u16string& name, std::uint32_t number) {
    const std::lock_guard guard(mutex_);
    const auto found = queues_.find(name);
    if (found == queues_.end()) return;
    const std::size_t released = std::erase_if(found->second.held, [&](const Request& held) {
      return held.client == &client && held.number == number;
    });
    if (released > 0) grant(name, client);
  }

  void leave(LockClient& client) {
    const std::lock_guard guard(mutex_);
    std::vector<std::u16string> names;
    for (auto& [name, queue] : queues_) {
      const auto is_of_client = [&](const Request& each) { return each.client == &client; };
      if (std::erase_if(queue.held, is_of_client) + std::erase_if(queue.pending, is_of_client) >
          0) {
        names.push_back(name);
      }
    }
    for (const std::u16string& name : names) grant(name, client);
  }

  bool take_event(LockClient& client, Event& event) {
    const std::lock_guard guard(mutex_);
    if (client.events_.empty()) return false;
    event = client.events_.front();
    client.events_.pop_front();
    return true;
  }

  std::vector<LockClient::Listed> list(const LockClient& client) {
    const std::lock_guard guard(mutex_);
    std::vector<std::pair<std::uint64_t, LockClient::Listed>> found;
    for (const auto& [name, queue] : queues_) {
      for (const auto* requests : {&queue.held, &queue.pending}) {
        for (const Request& each : *requests) {
          if (each.client != &client) continue;
          found.push_back({each.order, {name, each.mode, requests == &queue.held}});
        }
      }
    }
    std::ranges::sort(found, {}, [](const auto& each) { return each.first; });
    std::vector<LockClient::Listed> listed;
    for (auto& each : found) listed.push_back(std::move(each.second));
    return listed;
  }

 private:
  struct Request {
    LockClient* client;
    std::uint32_t number;
    Mode mode;
    std::uint64_t order;
  };

  // Of one name. Those that wait are granted in their order only.
  struct Queue {
    std::deque<Request> held;
    std::deque<Request> pending;
  };

  static bool fits(const Queue& queue, const Request& request) {
    return queue.held.empty() ||
           (request.mode == Mode::shared && queue.held.front().mode == Mode::shared);
  }

  void grant(const std::u16string& name, const LockClient& current) {
    const auto found = queues_.find(name);
    Queue& queue = found->second;
    while (!queue.pending.empty() && fits(queue, queue.pending.front())) {
      const Request request = queue.pending.front();
      queue.pending.pop_front();
      queue.held.push_back(request);
      leave(*request.client, {Event::Kind::granted, request.number}, current);
    }
    if (queue.held.empty() && queue.pending.empty()) queues_.erase(found);
  }

  // The client that is current looks at its events itself.
  static void leave(LockClient& client, const Event& event, const LockClient& current) {
    client.events_.push_back(event);
    if (&client != &current) client.wake_();
  }

  std::mutex mutex_;
  std::map<std::u16string, Queue> queues_;
  std::uint64_t last_order_ = 0;
};

LockClient::LockClient(std::function<void()> wake) : wake_(std::move(wake)) {}

LockClient::~LockClient() {
  LockTable::instance().leave(*this);
}

void LockClient::request(const std::u16string& name, std::uint32_t number, Mode mode,
                         IfHeld if_held) {
  LockTable::instance().request(*this, name, number, mode, if_held);
}

void LockClient::release(const std::u16string& name, std::uint32_t number) {
  LockTable::instance().release(*this, name, number);
}

bool LockClient::take_event(Event& event) {
  return LockTable::instance().take_event(*this, event);
}

std::vector<LockClient::Listed> LockClient::list() const {
  return LockTable::instance().list(*this);
}

}  // namespace rondo
