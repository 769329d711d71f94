// Events with listeners, in the manner of Node's EventEmitter, but typed: an event is a type.
//
//     struct Opened { int fd; };
//     struct Failed : rondo::ErrorEvent {};
//
//     rondo::EventEmitter<Opened, Failed> emitter;
//     emitter.on<Opened>([](const Opened& event) { std::printf("%d\n", event.fd); });
//     emitter.emit(Opened{3});
//
// emit() calls the listeners at once, in order, and returns when all have run. Those are called
// that listened when it began: what a listener adds or removes counts from the next emit(). (One
// taken by once() is called once, also when it emits the event itself.) What a listener throws
// leaves emit(); the listeners after it are then not called. A listener may destroy the emitter.
//
// Not for use by several threads at once. Independent of loops.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "rondo/callback.h"
#include "rondo/detail/memory.h"
#include "rondo/error.h"

namespace rondo {

/// An event that must be handled: without listeners, emit() calls its raise(), which throws.
template <class Event>
concept MustBeHeard = requires(const Event& event) { event.raise(); };

/// What an 'error' event derives from: unheard, it is thrown as a std::system_error.
struct ErrorEvent {
  std::error_code error;

  [[noreturn]] void raise() const { throw std::system_error(error); }
};

/// Names a listener, for off(). A default one names none.
struct ListenerId {
  std::uint64_t number = 0;

  friend bool operator==(const ListenerId&, const ListenerId&) = default;
};

template <class... Events>
class EventEmitter {
 public:
  template <class Event>
  static constexpr bool kHas = (std::same_as<Event, Events> || ...);

  template <class Event>
  using Listener = Callback<void(const Event&)>;

  EventEmitter() = default;
  EventEmitter(const EventEmitter&) = delete;
  EventEmitter& operator=(const EventEmitter&) = delete;

  /// Adds a listener after the others, or (prepend) before them. An empty one is refused with
  /// Misuse (ERR_INVALID_CALLBACK).
  template <class Event>
  ListenerId on(Listener<Event> listener) {
    return add<Event>(std::move(listener), Place::back, false);
  }
  template <class Event>
  ListenerId once(Listener<Event> listener) {
    return add<Event>(std::move(listener), Place::back, true);
  }
  template <class Event>
  ListenerId prepend(Listener<Event> listener) {
    return add<Event>(std::move(listener), Place::front, false);
  }
  template <class Event>
  ListenerId prepend_once(Listener<Event> listener) {
    return add<Event>(std::move(listener), Place::front, true);
  }

  /// Removes a listener of whatever event. False if it is not there any more.
  bool off(ListenerId id) { return (state_->template remove<Events>(id) || ...); }

  /// Removes all listeners of an event, or of all events.
  template <class Event>
  void off_all() {
    state_->template forget<Event>();
  }
  void off_all() { (state_->template forget<Events>(), ...); }

  /// True if there was a listener.
  template <class Event>
  bool emit(const Event& event) {
    static_assert(kHas<Event>, "this emitter has no such event");
    // A share in the list as it is now: a change meanwhile is made to a copy. And a share in
    // the state, because a listener may destroy the emitter.
    const std::shared_ptr<State> state = state_;
    const Shared<Event> now = state->template list<Event>();
    if (now == nullptr) {
      if constexpr (MustBeHeard<Event>) event.raise();
      return false;
    }
    for (const auto& entry : *now) {
      if (entry->once) {
        if (std::exchange(entry->spent, true)) continue;
        state->template remove<Event>(entry->id);
      }
      entry->listener(event);
    }
    return true;
  }

  template <class Event>
  std::size_t listener_count() const {
    static_assert(kHas<Event>, "this emitter has no such event");
    const auto& now = state_->template list<Event>();
    return now == nullptr ? 0 : now->size();
  }

 private:
  enum class Place : std::uint8_t { front, back };

  template <class Event>
  struct Entry {
    Listener<Event> listener;
    ListenerId id;
    bool once;
    bool spent = false;
  };
  template <class Event>
  using Entries = std::vector<std::shared_ptr<Entry<Event>>>;
  /// Never changed while emit() has a share in it; null when empty.
  template <class Event>
  using Shared = std::shared_ptr<Entries<Event>>;

  struct State {
    std::uint64_t last_number = 0;
    std::tuple<Shared<Events>...> lists;

    template <class Event>
    Shared<Event>& list() {
      return std::get<Shared<Event>>(lists);
    }

    /// The list, for changing.
    template <class Event>
    Entries<Event>& own_list() {
      Shared<Event>& shared = list<Event>();
      if (shared == nullptr) {
        shared = std::make_shared<Entries<Event>>();
      } else if (shared.use_count() > 1) {
        shared = std::make_shared<Entries<Event>>(*shared);
      }
      return *shared;
    }

    // What is removed is destroyed last: the destructor of a listener may use the emitter.

    template <class Event>
    void forget() {
      const Shared<Event> removed = std::exchange(list<Event>(), nullptr);
    }

    template <class Event>
    bool remove(ListenerId id) {
      const auto has_id = [id](const auto& entry) { return entry->id == id; };
      const Shared<Event> before = list<Event>();
      if (before == nullptr || std::ranges::none_of(*before, has_id)) return false;
      if (before->size() == 1) {
        list<Event>() = nullptr;
      } else {
        std::erase_if(own_list<Event>(), has_id);  // a copy: `before` has a share
      }
      return true;
    }
  };

  template <class Event>
  ListenerId add(Listener<Event> listener, Place place, bool once) {
    static_assert(kHas<Event>, "this emitter has no such event");
    if (!listener) throw Misuse("ERR_INVALID_CALLBACK", "the listener is empty");
    const ListenerId id{++state_->last_number};
    auto entry = std::make_shared<Entry<Event>>(Entry<Event>{std::move(listener), id, once});
    auto& entries = state_->template own_list<Event>();
    entries.insert(place == Place::front ? entries.begin() : entries.end(), std::move(entry));
    return id;
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace rondo
