// The locks of navigator.locks: one table for all threads of the process.
//
// Each thread that uses locks has a client. A request has a number, unique among those of its
// client. The table grants locks as soon as it can, on whichever thread makes that possible, and
// leaves an event with the client; a client of another thread is woken. All of it under one mutex.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace rondo {

class LockTable;

/// Made, used and destroyed on one thread. What it holds and waits for ends with it.
class LockClient {
 public:
  /// `wake` is called on other threads, until the destructor returns, when there are events to
  /// take.
  explicit LockClient(std::function<void()> wake);
  ~LockClient();
  LockClient(const LockClient&) = delete;
  LockClient& operator=(const LockClient&) = delete;

  enum class Mode : unsigned char { exclusive, shared };
  /// What to do if the lock is held by others. A stolen lock is exclusive.
  enum class IfHeld : unsigned char { wait, give_up, steal };
  void request(const std::u16string& name, std::uint32_t number, Mode mode, IfHeld if_held);
  /// Nothing if it was stolen meanwhile.
  void release(const std::u16string& name, std::uint32_t number);

  struct Event {
    enum class Kind : unsigned char { granted, unavailable, stolen };
    Kind kind;
    std::uint32_t number;
  };
  /// The oldest. False if there is none.
  bool take_event(Event& event);

  struct Listed {
    std::u16string name;
    Mode mode;
    bool is_held;
  };
  /// Its own locks and requests, each in the order in which they were asked for.
  std::vector<Listed> list() const;

 private:
  friend class LockTable;

  std::function<void()> wake_;
  std::deque<Event> events_;  // guarded by the table's mutex
};

}  // namespace rondo
