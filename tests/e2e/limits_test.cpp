// Out of descriptors, threads or memory: an error with a code where Node would abort, and never the
// end of the process by an exception of C++.
#include <sys/resource.h>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/program.h"

namespace rondo::test {
namespace {

using ::testing::HasSubstr;

/// What a limit of this process is, for as long as this exists: the command inherits it.
class Limit {
 public:
  Limit(int which, rlim_t value) : which_(which) {
    ::getrlimit(static_cast<__rlimit_resource_t>(which_), &before_);
    const rlimit wanted{.rlim_cur = value, .rlim_max = before_.rlim_max};
    ::setrlimit(static_cast<__rlimit_resource_t>(which_), &wanted);
  }
  ~Limit() { ::setrlimit(static_cast<__rlimit_resource_t>(which_), &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  int which_;
  rlimit before_{};
};

TEST(Limits, AScriptWithALimitThatNeedsADescriptorThrows) {
  const Folder folder;
  Program program(
      {folder.file("script.js",
                   "const fs = require('fs');\n"
                   "const vm = require('vm');\n"
                   "const hoard = [];\n"
                   "try { for (;;) hoard.push(fs.openSync('/dev/null')); } catch {}\n"
                   "try {\n"
                   "  vm.runInThisContext('1', { breakOnSigint: true });\n"
                   "} catch ({ code, errno, syscall, message }) {\n"
                   "  hoard.forEach((fd) => fs.closeSync(fd));\n"
                   "  console.log(code, errno, syscall, message);\n"
                   "}\n"
                   "console.log(vm.runInThisContext('1 + 1', { breakOnSigint: true }));\n")});
  EXPECT_EQ(program.wait(), 0) << program.errors();
  EXPECT_EQ(program.output(), "EMFILE -24 eventfd EMFILE: too many open files, eventfd\n2\n");
}

// A stack of this size cannot be had, so no thread can.
TEST(Limits, WithoutThreadsScriptsThrowAndTheHeapWorks) {
  const Folder folder;
  const std::string script = folder.file("script.js",
                                         "const vm = require('vm');\n"
                                         "try {\n"
                                         "  vm.runInThisContext('1', { timeout: 1000 });\n"
                                         "} catch ({ code, syscall }) {\n"
                                         "  console.log(code, syscall);\n"
                                         "}\n"
                                         "const list = [];\n"
                                         "for (let i = 0; i < 2e6; i++) list.push({ i });\n"
                                         "console.log(list.length);\n"
                                         "require('fs').mkdtemp('/nonexistent/x', (error) => {\n"
                                         "  console.log(typeof error.code);\n"
                                         "});\n");
  const Limit stack(RLIMIT_STACK, rlim_t{1} << 46U);
  Program program({script});
  EXPECT_EQ(program.wait(), 0) << program.errors();
  EXPECT_EQ(program.output(), "EAGAIN pthread_create\n2000000\nstring\n");
}

TEST(Limits, TooFewDescriptorsToStartAreNamed) {
  const Folder folder;
  const std::string script = folder.file("script.js", "console.log('ran');\n");
  Program program(
      {"-e",
       "const { spawnSync } = require('child_process');\n"
       "for (const count of [4, 5, 6]) {\n"
       "  const { status, signal, stdout, stderr } = spawnSync('sh', ['-c',\n"
       "    `ulimit -n ${count}; exec \"$0\" \"$@\"`, process.execPath, process.argv[1]]);\n"
       "  console.log(count, status, signal, /EMFILE|Too many open files/.test(stderr), "
       "String(stdout));\n"
       "}\n",
       script});
  EXPECT_EQ(program.wait(), 0) << program.errors();
  EXPECT_THAT(program.output(), HasSubstr("4 1 null true \n5 1 null true \n6 0 null false ran\n"));
}

}  // namespace
}  // namespace rondo::test
