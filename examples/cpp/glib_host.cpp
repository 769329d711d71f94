// Rondo inside GLib's main loop, as in a program with a GTK window: one thread, both kinds of
// callbacks.
//
// A GSource watches the descriptor of the loop and wakes for its timers; GLib does the waiting.
#include <glib.h>

#include <cstdio>
#include <string>

#include <rondo/rondo.h>

namespace {

using namespace std::chrono_literals;

struct LoopSource {
  GSource base;
  rondo::Loop* loop;
  gpointer descriptor;
};

// Before GLib waits: for how long, and whether there is something to do already.
gboolean prepare(GSource* source, gint* timeout_ms) {
  auto* self = reinterpret_cast<LoopSource*>(source);
  const rondo::HostWait wait = self->loop->host_wait();
  *timeout_ms = -1;
  if (wait.timeout) {
    *timeout_ms =
        static_cast<gint>(std::chrono::ceil<std::chrono::milliseconds>(*wait.timeout).count());
  }
  return *timeout_ms == 0 ? TRUE : FALSE;
}

// After it: the descriptor is readable, or the time is up.
gboolean check(GSource* source) {
  auto* self = reinterpret_cast<LoopSource*>(source);
  if (g_source_query_unix_fd(source, self->descriptor) != 0) return TRUE;
  return self->loop->host_wait().timeout == 0ns ? TRUE : FALSE;
}

gboolean dispatch(GSource* source, GSourceFunc /*callback*/, gpointer /*data*/) {
  reinterpret_cast<LoopSource*>(source)->loop->run_nowait();
  return G_SOURCE_CONTINUE;
}

GSourceFuncs functions = {prepare, check, dispatch, nullptr, nullptr, nullptr};

GSource* attach(rondo::Loop& loop) {
  GSource* source = g_source_new(&functions, sizeof(LoopSource));
  auto* self = reinterpret_cast<LoopSource*>(source);
  self->loop = &loop;
  self->descriptor = g_source_add_unix_fd(source, loop.host_wait().fd, G_IO_IN);
  g_source_attach(source, nullptr);
  return source;
}

rondo::Async<> work(GMainLoop* host) {
  std::puts("Rondo: a coroutine begins");
  co_await rondo::sleep_for(20ms);
  auto listing = co_await rondo::run("echo", "of a child process");
  std::printf("Rondo: the output %s", listing ? listing->out.c_str() : "is missing\n");
  co_await rondo::sleep_for(40ms);
  g_main_loop_quit(host);
}

}  // namespace

int main() {
  rondo::Loop loop;
  GMainLoop* host = g_main_loop_new(nullptr, FALSE);
  GSource* source = attach(loop);

  int ticks = 0;
  g_timeout_add(
      10,
      [](gpointer count) -> gboolean {
        std::printf("GLib:  tick %d\n", ++*static_cast<int*>(count));
        return *static_cast<int*>(count) < 3 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
      },
      &ticks);
  spawn(loop, work(host));
  g_main_loop_run(host);

  g_source_destroy(source);
  g_source_unref(source);
  g_main_loop_unref(host);
  return ticks == 3 ? 0 : 1;
}
