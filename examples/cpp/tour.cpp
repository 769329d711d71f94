#include <cstdio>
#include "rondo/rondo.h"
using namespace std::chrono_literals;
int main(){ rondo::Loop loop; loop.set_timeout(10ms,[]{puts("timeout");}); loop.set_immediate([]{puts("immediate");}); loop.next_tick([]{puts("tick");}); loop.run(); puts(loop.backend_reason().c_str()); }
