// The C interface of Node-API, as the engine's package has it: everything that is experimental
// there included.
#pragma once

#define NAPI_EXPERIMENTAL
#define NODE_API_EXPERIMENTAL_NO_WARNING
#define NODE_API_EXPERIMENTAL_BASIC_ENV_OPT_OUT  // an environment is an environment

#include <node_api.h>
#include <node_version.h>
