// The functions of Node-API are called by addons only, so nothing in a program refers to them: the
// linker would leave them out of one that takes the runtime from a library.
#pragma once

namespace rondo::napi {

/// A call of it, wherever addons are loaded, keeps all of them.
void keep_exports();

}  // namespace rondo::napi
