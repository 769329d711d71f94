// Everything of the C++ library.
#pragma once

#include "rondo/callback.h"
#include "rondo/clock.h"
#include "rondo/error.h"
#include "rondo/handles.h"
#include "rondo/loop.h"
#include "rondo/metrics.h"
#include "rondo/observer.h"
#include "rondo/phase.h"
#include "rondo/poll.h"
#include "rondo/scheduler.h"
