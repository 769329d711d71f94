// HTTP/1.1: a server and a client. The target is rondo::http.
#pragma once

#include "rondo/http/client.h"   // IWYU pragma: export
#include "rondo/http/message.h"  // IWYU pragma: export
#include "rondo/http/server.h"   // IWYU pragma: export
