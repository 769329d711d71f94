#include "lens/explain/subjects.h"

namespace rondo::lens {

Run RunningCallback::to_run() const {
  Run run;
  run.number = number;
  run.iteration = iteration;
  run.phase = phase;
  run.kind = kind;
  run.label = label.get();
  run.event = event.get();
  if (type != nullptr) run.type = *type;
  if (site.file != nullptr) run.site = site.to_location();
  run.subject = subject;
  run.cause = cause;
  run.after = after;
  run.inside = inside;
  run.delay = delay;
  run.made = made;
  run.begin = begin;
  run.end = begin - Time(1);
  run.depth = depth;
  run.note = note;
  return run;
}

}  // namespace rondo::lens
