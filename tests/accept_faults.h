// Makes the kernel refuse connections with the error that a test wants. Linked with
// rondo_wrap_accept(), which puts it between the library and accept4(), and between the ring and
// the backend that reads it.
#pragma once

namespace rondo::test {

/// While this exists, the loops of this thread accept as fail_with() says. To be made before the
/// first server listens.
class AcceptFaults {
 public:
  AcceptFaults();
  ~AcceptFaults();
  AcceptFaults(const AcceptFaults&) = delete;
  AcceptFaults& operator=(const AcceptFaults&) = delete;

  /// From now on: every attempt for which there is a connection fails, or the next `times`. After
  /// ECONNABORTED the connection is gone; after any other error it is still in the backlog.
  static void fail_with(int error, int times = -1);
  static void stop() { fail_with(0, 0); }
  /// How many attempts have failed since fail_with().
  static int failed();
};

}  // namespace rondo::test
