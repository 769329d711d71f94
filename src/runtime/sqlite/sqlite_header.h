// SQLite's header with the sessions that Debian's library has.
#pragma once

#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
