// Rondo inside Qt's event loop, as in a program with windows: one thread, both kinds of callbacks.
//
// A QSocketNotifier watches the descriptor of the loop, a QTimer is for its timers, and before Qt
// waits the loop is asked for what it is to wait.
//
// Qt's macros `emit`, `slots` and `signals` are names of functions here: QT_NO_KEYWORDS does
// without them.
#define QT_NO_KEYWORDS

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>
#include <chrono>
#include <cstdio>

#include <rondo/rondo.h>

namespace {

using namespace std::chrono_literals;

class LoopInQt : public QObject {
 public:
  explicit LoopInQt(rondo::Loop& loop)
      : loop_(loop), readable_(loop.host_wait().fd, QSocketNotifier::Read) {
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, [this] { loop_.run_nowait(); });
    connect(&readable_, &QSocketNotifier::activated, this, [this] { loop_.run_nowait(); });
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this,
            [this] { prepare(); });
    timer_.start(0);
  }

 private:
  void prepare() {
    const rondo::HostWait wait = loop_.host_wait();
    if (!wait.timeout) {
      timer_.stop();
      return;
    }
    timer_.start(std::chrono::ceil<std::chrono::milliseconds>(*wait.timeout));
  }

  rondo::Loop& loop_;
  QSocketNotifier readable_;
  QTimer timer_;
};

rondo::Async<> work() {
  std::puts("Rondo: a coroutine begins");
  co_await rondo::sleep_for(20ms);
  auto listing = co_await rondo::run("echo", "of a child process");
  std::printf("Rondo: the output %s", listing ? listing->out.c_str() : "is missing\n");
  co_await rondo::sleep_for(40ms);
  QCoreApplication::quit();
}

}  // namespace

int main(int argc, char** argv) {
  QCoreApplication host(argc, argv);
  rondo::Loop loop;
  LoopInQt bridge(loop);

  int ticks = 0;
  QTimer ticking;
  QObject::connect(&ticking, &QTimer::timeout, [&] {
    std::printf("Qt:    tick %d\n", ++ticks);
    if (ticks == 3) ticking.stop();
  });
  ticking.start(10ms);
  spawn(loop, work());
  QCoreApplication::exec();
  return ticks == 3 ? 0 : 1;
}
