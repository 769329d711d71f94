// backup(): copies a database page by page, on a thread of the pool.
#pragma once

#include "runtime/glue/binding.h"

namespace rondo::sqlite {

/// backup(source, path, options) -> a promise of the number of pages
void backup(const Arguments& args);

}  // namespace rondo::sqlite
