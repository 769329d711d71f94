// A program for the test of binding: it refers to what the test program exports, and to the C
// library.
#include <cstdlib>

extern "C" int bound_test_function(int argument);
extern "C" int bound_test_variable;

extern "C" int bound_program_call(int argument) {
  return bound_test_function(argument);
}
extern "C" int bound_program_call_of_library(int argument) {
  return std::abs(std::atoi("-7")) + bound_test_function(argument);
}
extern "C" int* bound_program_address() {
  return &bound_test_variable;
}
extern "C" {
int (*bound_program_pointer)(int) = bound_test_function;
}
