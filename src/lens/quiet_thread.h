// A thread of the lens: signals meant for the process do not go to it.
#pragma once

#include <pthread.h>

#include <csignal>
#include <thread>
#include <utility>

namespace rondo::lens {

template <class Body>
std::thread start_quiet_thread(Body&& body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::forward<Body>(body));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace rondo::lens
