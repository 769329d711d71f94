// The machinery that every operation on files goes through.
#include <linux/io_uring.h>

#include <cerrno>
#include <cstdint>

#include "io/fs/operation.h"
#include "io/fs_fixture.h"

namespace rondo {
namespace {

/// Is given up by the kernel, as one is for which it could not start a thread.
class GivenUp final : public detail::FileCall<GivenUp, std::size_t> {
 public:
  GivenUp(int& asked, std::int32_t& answer) noexcept : asked_(&asked), answer_(&answer) {}

 private:
  bool on_ring() const noexcept override { return true; }
  void prepare(io_uring_sqe& entry) noexcept override {
    ++*asked_;
    entry.opcode = IORING_OP_NOP;
    entry.rw_flags = 1;  // since Linux 6.10, IORING_NOP_INJECT_RESULT: answer with `len`
    entry.len = static_cast<std::uint32_t>(-ECANCELED);
  }
  Outcome answered(std::int32_t result) override {
    *answer_ = result;
    return result;
  }
  std::int32_t perform() override { return 7; }

  int* asked_;
  std::int32_t* answer_;
};

TEST_F(FsTest, WhatTheKernelGivesUpAThreadDoes) {
  int asked = 0;
  std::int32_t answer = -1;
  const auto result = get(detail::make_file_op<GivenUp>(asked, answer));
  if (answer == 0) GTEST_SKIP() << "this kernel does not answer what it is told to";
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(*result, 7U);
  EXPECT_LE(asked, 1);
}

}  // namespace
}  // namespace rondo
