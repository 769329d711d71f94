#include <sys/inotify.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/inotify_fuzz.h"
#include "io/fs/inotify.h"

namespace rondo {
namespace {

using detail::InotifyRecord;
using detail::MovePairing;
using fs::FsEventKind;
using testing::ElementsAre;

using Bytes = std::vector<std::byte>;

/// As the kernel lays it out: padded with NULs to a multiple of the header.
void append(Bytes& bytes, int wd, std::uint32_t mask, std::uint32_t cookie, std::string_view name) {
  inotify_event header{};
  header.wd = wd;
  header.mask = mask;
  header.cookie = cookie;
  const std::size_t padded = name.empty() ? 0 : (name.size() / 16 + 1) * 16;
  header.len = static_cast<std::uint32_t>(padded);
  const auto raw = std::as_bytes(std::span(&header, 1));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
  const std::size_t at = bytes.size();
  bytes.resize(at + padded);
  if (!name.empty()) std::memcpy(bytes.data() + at, name.data(), name.size());
}

std::vector<std::string> told(MovePairing& pairing) {
  std::vector<std::string> log;
  while (const auto event = pairing.next()) {
    std::string line = std::string(to_string(event->kind)) + " " + event->path + "/" + event->name;
    if (!event->from_name.empty()) line += " from " + event->from_path + "/" + event->from_name;
    if (event->is_folder) line += " (folder)";
    log.push_back(line);
  }
  return log;
}

TEST(FsInotify, ReadsRecords) {
  Bytes bytes;
  append(bytes, 1, IN_CREATE, 0, "a");
  append(bytes, 2, IN_MODIFY, 0, "");
  append(bytes, 3, IN_MOVED_TO, 77, std::string(255, 'x'));
  std::span<const std::byte> left = bytes;
  const auto first = detail::next_inotify_record(left);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->wd, 1);
  EXPECT_EQ(first->mask, std::uint32_t{IN_CREATE});
  EXPECT_EQ(first->name, "a");
  const auto second = detail::next_inotify_record(left);
  EXPECT_EQ(second->name, "");
  const auto third = detail::next_inotify_record(left);
  EXPECT_EQ(third->cookie, 77U);
  EXPECT_EQ(third->name, std::string(255, 'x'));
  EXPECT_TRUE(left.empty());
  EXPECT_FALSE(detail::next_inotify_record(left).has_value());
}

TEST(FsInotify, LeavesWhatIsCutOff) {
  Bytes bytes;
  append(bytes, 1, IN_CREATE, 0, "name");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    std::span<const std::byte> left = cut;
    EXPECT_FALSE(detail::next_inotify_record(left).has_value()) << size;
    EXPECT_EQ(left.size(), size);
  }
}

TEST(FsInotify, ANameWithoutEndIsNotReadBeyondItsField) {
  Bytes bytes;
  append(bytes, 1, IN_CREATE, 0, "0123456789abcde");
  bytes.back() = std::byte{'f'};
  append(bytes, 2, IN_CREATE, 0, "next");
  std::span<const std::byte> left = bytes;
  EXPECT_EQ(detail::next_inotify_record(left)->name, "0123456789abcdef");
  EXPECT_EQ(detail::next_inotify_record(left)->name, "next");
}

TEST(FsInotify, PutsTheHalvesOfAMoveTogether) {
  MovePairing pairing;
  pairing.add("here", {1, IN_MOVED_FROM | IN_ISDIR, 5, "old"});
  pairing.add("there", {2, IN_MOVED_TO | IN_ISDIR, 5, "new"});
  EXPECT_THAT(told(pairing), ElementsAre("renamed there/new from here/old (folder)"));
  EXPECT_FALSE(pairing.waits());
}

TEST(FsInotify, KeepsTheOrderWhileAHalfIsMissing) {
  MovePairing pairing;
  pairing.add("d", {1, IN_CREATE, 0, "before"});
  pairing.add("d", {1, IN_MOVED_FROM, 5, "a"});
  pairing.add("d", {1, IN_CREATE, 0, "a"});
  EXPECT_THAT(told(pairing), ElementsAre("created d/before"));
  EXPECT_TRUE(pairing.waits());
  pairing.add("d", {1, IN_MOVED_TO, 6, "stranger"});
  pairing.add("d", {1, IN_MOVED_TO, 5, "b"});
  EXPECT_THAT(told(pairing),
              ElementsAre("renamed d/b from d/a", "created d/a", "created d/stranger"));
}

TEST(FsInotify, GivesUpOnWhatNeverArrives) {
  MovePairing pairing;
  pairing.add("d", {1, IN_MOVED_FROM, 5, "a"});
  pairing.add("d", {1, IN_MODIFY, 0, "b"});
  EXPECT_THAT(told(pairing), ElementsAre());
  pairing.give_up();
  EXPECT_THAT(told(pairing), ElementsAre("removed d/a", "changed d/b"));
  pairing.add("d", {1, IN_MOVED_TO, 5, "late"});  // too late to be the other half
  EXPECT_THAT(told(pairing), ElementsAre("created d/late"));
}

TEST(FsInotify, ForgetsAPathAndWhatMovedThereHasSimplyGone) {
  MovePairing pairing;
  pairing.add("kept", {1, IN_MOVED_FROM, 9, "half"});  // holds up all that follows
  pairing.add("gone", {2, IN_CREATE, 0, "a"});
  pairing.add("kept", {1, IN_MOVED_FROM, 5, "left"});
  pairing.add("gone", {2, IN_MOVED_TO, 5, "b"});
  pairing.add("gone", {2, IN_MOVED_FROM, 6, "c"});
  pairing.add("kept", {1, IN_MOVED_TO, 6, "came"});
  pairing.add("gone", {2, IN_MOVED_FROM, 7, "d"});
  pairing.add("gone", {2, IN_MOVED_TO, 7, "e"});
  pairing.add("gone", {2, IN_MOVED_FROM, 8, "waits"});
  pairing.forget("gone");
  EXPECT_FALSE(pairing.has_next());
  pairing.give_up();
  EXPECT_TRUE(pairing.has_next());
  EXPECT_THAT(told(pairing),
              ElementsAre("removed kept/half", "removed kept/left", "created kept/came"));
  EXPECT_FALSE(pairing.waits());
}

TEST(FsInotify, KnowsAllEvents) {
  MovePairing pairing;
  pairing.add("", {-1, IN_Q_OVERFLOW, 0, ""});
  pairing.add("p", {1, IN_DELETE_SELF, 0, ""});
  pairing.add("p", {1, IN_UNMOUNT, 0, ""});
  pairing.add("p", {1, IN_MOVE_SELF, 0, ""});
  pairing.add("p", {1, IN_DELETE, 0, "n"});
  pairing.add("p", {1, IN_ATTRIB | IN_ISDIR, 0, ""});
  pairing.add("p", {1, IN_IGNORED, 0, ""});  // the end of a watch is not an event
  EXPECT_THAT(told(pairing),
              ElementsAre("overflow /", "watched_removed p/", "watched_removed p/",
                          "watched_moved p/", "removed p/n", "attributes p/ (folder)"));
}

// ---- The corpus of the fuzz target, and a little of its work -----------------------------------

TEST(FsInotify, Corpus) {
  Bytes several;
  append(several, 1, IN_CREATE, 0, "a");
  append(several, 1, IN_MOVED_FROM, 9, "b");
  append(several, 2, IN_MOVED_TO, 9, "c");
  append(several, 2, IN_MOVED_FROM, 9, "d");
  append(several, 1, IN_IGNORED | IN_Q_OVERFLOW, 0, "");
  Bytes huge_length;
  append(huge_length, 1, IN_CREATE, 0, "a");
  std::memset(huge_length.data() + 12, 0xff, 4);
  const Bytes corpus[] = {{},      Bytes(15),  Bytes(16), Bytes(17), Bytes(64, std::byte{0xff}),
                          several, huge_length};
  for (const Bytes& bytes : corpus) {
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      check_inotify_bytes(cut);
    }
  }
}

TEST(FsInotify, RandomBytes) {
  std::mt19937 random(20240601);
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes;
    for (unsigned records = random() % 8; records != 0; --records) {
      append(bytes, static_cast<int>(random() % 4), 1U << (random() % 32), random() % 4,
             std::string(random() % 40, 'n'));
    }
    for (unsigned changes = random() % 4; changes != 0 && !bytes.empty(); --changes) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random() & 0xff);
    }
    check_inotify_bytes(bytes);
  }
}

}  // namespace
}  // namespace rondo
