// Results that are ignored: run.cmake counts the warnings. One for each line that ends with
// "warns".
#include <chrono>

#include <rondo/rondo.h>

rondo::Async<> ignore_all(rondo::Loop& loop, rondo::TcpSocket socket, rondo::UdpSocket udp) {
  socket.write("x");                                                     // warns
  socket.end("x");                                                       // warns
  socket.set_no_delay(true);                                             // warns
  udp.send("x");                                                         // warns
  rondo::TcpServer(loop).listen(rondo::SocketAddress::loopback(0));      // warns
  rondo::Process::spawn(loop, rondo::SpawnOptions("true"));              // warns
  rondo::terminal_size(0);                                               // warns
  rondo::fs::unlink("x");                                                // warns
  rondo::run("true");                                                    // warns
  co_await socket.read();                                                // warns
  co_await socket.write_all("x");                                        // warns
  co_await rondo::fs::unlink("x");                                       // warns
  co_await rondo::run("true");                                           // warns
  co_await rondo::with_timeout(std::chrono::seconds(1), socket.read());  // warns
  co_await rondo::sleep_for(std::chrono::seconds(1));
  co_await ignore_all(loop, socket, udp);
  (void)co_await socket.read();
}
