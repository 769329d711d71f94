'use strict';
// What docs/semantics.md and the guide say must happen in each of the guide's programs. Where a
// timer and something else are set at once, which is ready first is up to the machine: they are side by side, and
// explain_guide.js holds their order against the times in the explanation.

const {
  atExit, check, close, either, inOrder, io, main, microtask, pending, poll, promise, readFile, sideBySide, tick,
  timers,
} = require('./story.js');

const times = (count, make) => inOrder(...Array.from({ length: count }, (_, i) => make(i)));

module.exports = {
  // ASYNC: never before the call returns. An open() that fails is the only step.
  'always_asynchronous.js': inOrder(main(),
    poll('readFile /not/there', 4,
      "true ENOENT open /not/there ENOENT: no such file or directory, open '/not/there'"),
    poll('stat /not/there', 6, 'ENOENT -2 stat')),

  // TICKS: ticks before anything else, though the immediate was there first.
  'api_call_error_by_tick.js': inOrder(main("the rest of the user's code"),
    tick('', 3, 'callback: argument should be string'), check(8, 'the loop goes on')),

  'callback_after_stack_unwound.js': inOrder(main('inner ends', 'outer ends', 'main ends'),
    tick('', 2, 'after the stack has unwound')),

  // CLOSE: abrupt, so 'close' has its phase; after the tick and the immediate, before the next iteration's immediate.
  // When the server hears of the connection, and of its end, is up to the kernel.
  'close_abrupt_in_close_phase.js': inOrder(main(), tick('emitListeningNT', 4), poll('lookup localhost', 5),
    sideBySide(
      inOrder(io("'connection' of server", 4), close("'close' of socket", 4)),
      inOrder(io('connect to', 5, 'destroyed true'), tick('', 9, 'tick'), check(10, 'immediate 1'),
        sideBySide(
          inOrder(close("'close' of socket", 5, 'close false'), check(12, 'immediate 2')),
          close("'close' of server", 4))))),

  // ASYNC: 'listening' from the tick queue. CLOSE: a close that is not abrupt is emitted through the tick queue; only the
  // handle itself has something to do in the close phase.
  'close_of_server.js': inOrder(main(), tick('emitListeningNT', 2, 'false'),
    tick('emitCloseNT', 4, 'close event', 'close callback'), tick('', 5, 'tick'), check(6, 'immediate'),
    close("'close' of server", 2)),

  // PENDING: a connect() that fails at once.
  'connect_refused.js': inOrder(main(), tick('', 3), tick('emitListeningNT', 3), tick('', 6),
    sideBySide(
      inOrder(pending('connect to', 6), tick('emitErrorCloseNT', 6, 'ECONNREFUSED connect 127.0.0.1 true true'),
        close("'close' of socket", 6, 'close true')),
      close("'close' of server", 3))),

  // 5
  'connection_and_listening.js': inOrder(main('listen 8080', 'script ends'),
    tick('emitListeningNT', 14, 'listening: number'), tick('', 3, 'tick after listen'), tick('emitCloseNT', 12, 'closed'),
    close("'close' of server", 14)),

  'data_in_order.js': inOrder(main(), tick('emitListeningNT', 7), poll('lookup localhost', 8),
    sideBySide(
      inOrder(io("'connection' of server", 7), tick('endReadableNT', 7, '8890 line 0', 'line  98', 'line 999', ''),
        sideBySide(close("'close' of server", 7), close("'close' of socket", 7))),
      inOrder(io('connect to', 8), close("'close' of socket", 8)))),

  'emitter_in_constructor_class.js': main(),
  'emitter_in_constructor_class_tick.js': inOrder(main(), tick('', 6, 'an event occurred!')),
  'emitter_in_constructor_inherits.js': main(),
  'emitter_in_constructor_inherits_tick.js': inOrder(main(), tick('', 8, 'an event occurred!')),

  // LIFE: ends at once.
  'ends_when_nothing_to_wait_for.js': inOrder(main('main'), atExit('exit 0')),

  // TICKS: ticks added by ticks as well.
  'error_handled_before_loop_continues.js': inOrder(main(), tick('done', 5), tick('done', 5),
    tick('done', 5, 'done after 3 tries'), check(7, 'immediate after 3 tries')),

  // ITERATION: every queue is FIFO. 4: ticks, then microtasks.
  'fifo_within_phase.js': inOrder(main(), times(5, (i) => tick('', 6, `tick ${i}`)),
    times(5, (i) => microtask(7, `microtask ${i}`)),
    times(5, (i) => check(2, `immediate ${i}`)), times(5, (i) => timers(1, 4, `timer ${i}`))),

  // CHECK: inside an I/O callback before any timer, however many there are.
  'immediate_before_many_timers_io.js': inOrder(main(), readFile(3), check(5, 'immediate'),
    times(1000, (i) => timers(1, 4, ...(i % 250 === 0 ? [`timeout ${i}`] : [])))),

  // POLL: not before an immediate that was queued when it was started; the same goes for one that is queued right
  // after, in the same callback: check comes first.
  'immediate_between_two_reads.js': inOrder(main(), readFile(3),
    check(5, 'immediate'), readFile(4, 'second read')),

  // 5
  'listen_error_is_asynchronous.js': inOrder(main(), tick('emitListeningNT', 2, 'listen returned'),
    tick('emitErrorNT', 7, 'EADDRINUSE listen true'), tick('', 8, 'tick'), close("'close' of server", 2),
    close("'close' of server", 7)),

  'listen_then_listening.js': inOrder(main('listen 8080', 'script ends'),
    tick('emitListeningNT', 14, 'listening: number'), tick('emitCloseNT', 12, 'closed'), close("'close' of server", 14)),

  // ASYNC: 'listening' before any connection. The lookup is no multi-step operation: it may be done before the immediate or
  // after it; the connection takes another turn.
  'listening_before_connection.js': inOrder(main(), tick('emitListeningNT', 4, 'listening'),
    sideBySide(
      check(7, 'immediate'),
      inOrder(poll('lookup localhost', 6), sideBySide(
        inOrder(io("'connection' of server", 4, 'connection'),
          sideBySide(close("'close' of server", 4), close("'close' of socket", 4))),
        inOrder(io('connect to', 6), close("'close' of socket", 6)))))),

  // POLL: long callbacks hold it. Then check, then timers.
  'long_callback_holds_poll.js': inOrder(main(), poll('stat $', 3, 'long poll callback'), check(6, 'check'),
    timers(1, 5, 'timer true')),

  // ITERATION: check, close, timers, seen from poll. 4: tick, microtask.
  'phases_in_order.js': inOrder(main(), tick('emitListeningNT', 4), poll('lookup localhost', 5),
    sideBySide(
      inOrder(io("'connection' of server", 4), close("'close' of socket", 4)),
      inOrder(poll('connect to', 5, 'poll'), tick('', 9, 'tick'), promise(10, 'microtask'), check(8, 'check'),
        sideBySide(
          inOrder(close("'close' of socket", 5, 'close callbacks'), timers(1, 7, 'timers')),
          close("'close' of server", 4))))),

  // POLL: does not block while an immediate waits.
  'poll_goes_to_check.js': inOrder(main(), check(4, 'immediate true')),
  'poll_waits_for_timer.js': inOrder(main(), timers(200, 4, 'true true')),

  // POLL: the callback begins before the threshold, and ends after it.
  'read_95ms_timer_100ms.js': inOrder(main(), either(
    inOrder(readFile(10),
      timers(1000, 6, /^read begins (before the threshold|late) read ends timer true$/)),
    sideBySide(readFile(10), timers(1000, 6, /^timer (true|false)$/)))),

  // POLL
  'read_never_before_queued_immediate.js': inOrder(main(), check(3, 'immediate'),
    readFile(4, 'readFile')),

  // CLOSE: both ends end; what the server hears comes in order.
  'socket_end_then_close.js': inOrder(main(), tick('emitListeningNT', 7), poll('lookup localhost', 8),
    sideBySide(
      inOrder(io("'connection' of server", 7), io("'data' of socket", 7, 'server: data hello'),
        tick('endReadableNT', 7, 'server: end'), close("'close' of socket", 7, 'server: close false'),
        close("'close' of server", 7)),
      inOrder(io('connect to', 8), close("'close' of socket", 8))),
    atExit('data bye, end, close false')),

  'sync_callback_sees_undefined.js': main('bar undefined'),

  // TIMERS: by expiry, and not before it.
  'threshold_not_exact_time.js': inOrder(main(), timers(1, 3), timers(50, 4, 'not early', 'held back')),

  // TICKS: after each operation, in every phase.
  'tick_before_loop_continues.js': inOrder(main(), poll('stat $', 3, 'poll'), tick('', 4, 'tick from poll'),
    timers(1, 6, 'timers'), tick('', 7, 'tick from timers'), check(9, 'check'), tick('', 10, 'tick from check')),

  'tick_callback_sees_value.js': inOrder(main(), tick('', 3, 'bar 1')),

  'tick_in_every_kind_of_callback.js': inOrder(main(), timers(1, 4, 'timer'), tick('', 3, 'tick after timer'),
    check(4, 'immediate'), tick('', 3, 'tick after immediate'), readFile(5, 'read'), tick('', 3, 'tick after read'),
    tick('emitListeningNT', 6, 'listening'), tick('', 3, 'tick after listening'), tick('emitCloseNT', 7, 'close'),
    tick('', 3, 'tick after close'), close("'close' of server", 6), atExit()),

  'tick_passes_arguments.js': inOrder(main(), tick('', 1, "[ 1, 'two', { three: 3 }, undefined, null ]"),
    tick('', 2, '0 true')),

  // TICKS: no overflow. Only the first are listed; then what was printed.
  'tick_recursion_no_overflow.js': inOrder(main(), times(18, () => tick('again', 3)),
    tick('again', 3, 'no RangeError at 500000')),

  // CHECK: an immediate of an immediate waits for the next iteration; the tick does not.
  'tick_same_phase_immediate_next.js': inOrder(main(), check(1, 'check'), tick('', 3, 'tick in the same phase'),
    check(6, 'second immediate, same check'), check(2, 'immediate of the next iteration')),

  // TICKS: ticks starve I/O. 7: a timer that is overdue when the main script ends runs before anything of the loop.
  'tick_starves_io.js': inOrder(main(), times(18, () => tick('again', 15)),
    tick('again', 15, 'ticks end, reads: 0', 'timer after 100000 ticks', 'read after 100000 ticks')),

  // CHECK
  'timeout_vs_immediate_io.js': inOrder(main(), readFile(3), check(7, 'immediate'), timers(1, 4, 'timeout')),

  // The guide: "the order in which the two timers are executed is non-deterministic".
  'timeout_vs_immediate_main.js': inOrder(main(), sideBySide(timers(1, 2), check(5)), atExit("[ 'immediate', 'timeout' ]")),
  'fixtures/timeout_vs_immediate.js': inOrder(main(), sideBySide(timers(1, 2, 'timeout'), check(5, 'immediate'))),

  // POLL
  'timer_delayed_by_read.js': inOrder(main(), sideBySide(poll('readFile /path/to/file', 4),
    timers(100, 7, '>=100ms have passed since I was scheduled'))),
  'fixtures/timer_delayed_by_read.js': inOrder(main(), sideBySide(poll('readFile /path/to/file', 4),
    timers(100, 7, /^\d{2,}ms have passed since I was scheduled$/))),

  // ASYNC: errors of type are thrown at once.
  'type_errors_are_synchronous.js': main(
    'TypeError ERR_INVALID_ARG_TYPE The "cb" argument must be of type function. Received undefined',
    /^TypeError ERR_INVALID_ARG_TYPE The "path" argument must be of type string .* Received type number \(1\.5\)$/,
    /^TypeError ERR_INVALID_ARG_TYPE The "path" argument must be of type string .* Received an instance of Object$/,
    /^TypeError ERR_INVALID_ARG_TYPE The "cb" argument must be of type function\. Received/),
};
