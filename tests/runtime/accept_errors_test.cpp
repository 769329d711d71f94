// The kernel cannot accept a connection: a server in JavaScript, without a listener for 'error',
// lives through it.
#include <cerrno>

#include "accept_faults.h"
#include "runtime/runtime_fixture.h"

namespace rondo::test {
namespace {

using ::testing::ElementsAre;

/// A base, so that it is there before the loop and after it.
struct WithFaults {
  AcceptFaults faults;
};

class AcceptErrors : private WithFaults,
                     public RuntimeTest,
                     public ::testing::WithParamInterface<int> {};

TEST_P(AcceptErrors, AServerWithoutAListenerForErrorsGoesOn) {
  runtime.define("failed", [] { return AcceptFaults::failed(); });
  runtime.define("refuse", [] { AcceptFaults::fail_with(GetParam()); });
  runtime.define("stop", [] { AcceptFaults::stop(); });
  evaluate(R"js((async () => {
    const net = require('net');
    const { once } = require('events');
    const server = net.createServer((socket) => socket.on('error', () => {}).pipe(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connect = async () => {
      const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    const echo = async (socket, text) => {
      socket.write(text);
      const [data] = await once(socket, 'data');
      log(String(data));
    };
    const first = await connect();
    await echo(first, 'before');
    refuse();
    const second = await connect();
    while (failed() === 0) await new Promise(setImmediate);
    await echo(first, 'meanwhile');
    stop();
    const third = await connect();
    await echo(third, 'after');
    await echo(first, 'still');
    for (const socket of [first, second, third]) socket.destroy();
    server.close(() => log('closed'));
  })().catch((error) => log(String(error))), 0)js");
  loop.run();
  EXPECT_THAT(trace, ElementsAre("before", "meanwhile", "after", "still", "closed"));
}

/// A connection that cannot even be turned away waits in the backlog. The program may do something
/// about it, so the server says so.
class AcceptErrorsThatLast : public AcceptErrors {};

TEST_P(AcceptErrorsThatLast, AListenerForErrorsIsCalled) {
  runtime.define("refuse", [] { AcceptFaults::fail_with(GetParam()); });
  evaluate(R"js((async () => {
    const net = require('net');
    const { once } = require('events');
    const server = net.createServer(() => log('accepted')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    refuse();
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('error', () => {}).on('close', () => log('client closed'));
    server.on('error', (error) => {
      log(`${error.syscall} ${error.code}`);
      client.destroy();
      server.close(() => log('closed'));
    });
  })().catch((error) => log(String(error))), 0)js");
  loop.run();
  ASSERT_EQ(trace.size(), 3U);
  EXPECT_EQ(trace[0], "accept " + std::string(error_name(errno_code(GetParam()))));
}

INSTANTIATE_TEST_SUITE_P(Errors, AcceptErrorsThatLast, ::testing::Values(ENOBUFS, ENOMEM),
                         [](const auto& instance) {
                           return std::string(error_name(errno_code(instance.param)));
                         });

INSTANTIATE_TEST_SUITE_P(Errors, AcceptErrors,
                         ::testing::Values(EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED),
                         [](const auto& instance) {
                           return std::string(error_name(errno_code(instance.param)));
                         });

}  // namespace
}  // namespace rondo::test
