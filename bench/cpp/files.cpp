// Files whose content is in the page cache: what the way there costs.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <uv.h>

#include "rondo/fs.h"
#include "rondo/loop.h"

#include "rows.h"
#include "uv_loop.h"

namespace rondo::bench {

namespace {

constexpr std::size_t kFileBytes = 4096;
constexpr std::size_t kFiles = 32;
constexpr std::size_t kOperations = 20'000;

class CachedFiles {
 public:
  CachedFiles() {
    std::string text = "/tmp/rondo-bench-XXXXXX";
    expect(::mkdtemp(text.data()) != nullptr, "mkdtemp failed");
    folder_ = text;
    for (std::size_t i = 0; i < kFiles; ++i) {
      paths_.push_back(folder_ + "/file-" + std::to_string(i));
      std::ofstream(paths_.back()) << std::string(kFileBytes, 'x');
      std::ifstream(paths_.back()).get();
    }
  }
  CachedFiles(const CachedFiles&) = delete;
  CachedFiles& operator=(const CachedFiles&) = delete;
  ~CachedFiles() {
    for (const std::string& path : paths_) ::unlink(path.c_str());
    ::rmdir(folder_.c_str());
  }

  const std::string& next() { return paths_[next_++ % kFiles]; }

 private:
  std::string folder_;
  std::vector<std::string> paths_;
  std::size_t next_ = 0;
};

/// Runs kOperations, `at_once` of them in progress at any time. `Client::start(path)` begins one,
/// which ends with finished().
class Work {
 public:
  explicit Work(std::size_t at_once) : at_once_(at_once) {}

  template <class Client>
  double run(Client& client) {
    go(client, kOperations / 10);  // warm: threads started, names looked up
    Stopwatch watch;
    watch.start();
    go(client, kOperations);
    watch.stop();
    expect(done_ == kOperations, "not everything was done");
    return watch.ns_per(kOperations);
  }

  CachedFiles& files() { return files_; }

  /// The path of the next operation, or null when all have begun.
  const std::string* finished() {
    ++done_;
    return next();
  }

 private:
  template <class Client>
  void go(Client& client, std::size_t operations) {
    left_ = operations;
    done_ = 0;
    for (std::size_t i = 0; i < at_once_; ++i) {
      if (const std::string* path = next()) client.start(*path);
    }
    client.run();
  }
  const std::string* next() {
    if (left_ == 0) return nullptr;
    --left_;
    return &files_.next();
  }

  CachedFiles files_;
  std::size_t at_once_;
  std::size_t left_ = 0;
  std::size_t done_ = 0;
};

class OurReads {
 public:
  explicit OurReads(Work& work) : work_(work) {}
  void start(const std::string& path) {
    fs::read_file(path).then(loop_, [this](Expected<std::string> text) {
      expect(text.has_value() && text->size() == kFileBytes, "a file was not read");
      if (const std::string* next = work_.finished()) start(*next);
    });
  }
  void run() { loop_.run(); }

 private:
  Work& work_;
  Loop loop_;
};

class OurStats {
 public:
  explicit OurStats(Work& work) : work_(work) {}
  void start(const std::string& path) {
    fs::stat(path).then(loop_, [this](Expected<fs::Stat> stat) {
      expect(stat.has_value() && stat->size == kFileBytes, "a file was not found");
      if (const std::string* next = work_.finished()) start(*next);
    });
  }
  void run() { loop_.run(); }

 private:
  Work& work_;
  Loop loop_;
};

/// open, fstat, read, close, each a request of its own: what Node's readFile does.
class UvReads {
 public:
  explicit UvReads(Work& work) : work_(work) {}

  void start(const std::string& path) {
    auto* reading = new Reading{.request = {}, .owner = this, .fd = -1, .text = {}};
    reading->request.data = reading;
    uv_fs_open(loop_.get(), &reading->request, path.c_str(), O_RDONLY, 0, opened);
  }
  void run() { uv_run(loop_.get(), UV_RUN_DEFAULT); }

 private:
  struct Reading {
    uv_fs_t request;
    UvReads* owner;
    uv_file fd;
    std::string text;
  };

  static Reading& take(uv_fs_t* request, std::int64_t& result) {
    auto& reading = *static_cast<Reading*>(request->data);
    result = request->result;
    expect(result >= 0, "libuv could not read a file");
    if (request->fs_type == UV_FS_FSTAT)
      result = static_cast<std::int64_t>(request->statbuf.st_size);
    uv_fs_req_cleanup(request);
    request->data = &reading;
    return reading;
  }
  static void opened(uv_fs_t* request) {
    std::int64_t result = 0;
    Reading& reading = take(request, result);
    reading.fd = static_cast<uv_file>(result);
    uv_fs_fstat(request->loop, request, reading.fd, measured);
  }
  static void measured(uv_fs_t* request) {
    std::int64_t result = 0;
    Reading& reading = take(request, result);
    reading.text.resize(static_cast<std::size_t>(result));
    const uv_buf_t buffer =
        uv_buf_init(reading.text.data(), static_cast<unsigned>(reading.text.size()));
    uv_fs_read(request->loop, request, reading.fd, &buffer, 1, 0, was_read);
  }
  static void was_read(uv_fs_t* request) {
    std::int64_t result = 0;
    Reading& reading = take(request, result);
    expect(result == static_cast<std::int64_t>(kFileBytes), "libuv read too little");
    uv_fs_close(request->loop, request, reading.fd, closed);
  }
  static void closed(uv_fs_t* request) {
    std::int64_t result = 0;
    const std::unique_ptr<Reading> reading(&take(request, result));
    UvReads* owner = reading->owner;
    if (const std::string* next = owner->work_.finished()) owner->start(*next);
  }

  Work& work_;
  UvLoop loop_;
};

class UvStats {
 public:
  explicit UvStats(Work& work) : work_(work) { request_.data = this; }
  void start(const std::string& path) {
    uv_fs_stat(loop_.get(), &request_, path.c_str(), [](uv_fs_t* request) {
      auto* self = static_cast<UvStats*>(request->data);
      expect(request->result == 0 && request->statbuf.st_size == kFileBytes, "libuv: no stat");
      uv_fs_req_cleanup(request);
      if (const std::string* next = self->work_.finished()) self->start(*next);
    });
  }
  void run() { uv_run(loop_.get(), UV_RUN_DEFAULT); }

 private:
  Work& work_;
  UvLoop loop_;
  uv_fs_t request_{};  // one at a time is all that is measured
};

template <class Client, std::size_t AtOnce>
double measure() {
  Work work(AtOnce);
  Client client(work);
  return work.run(client);
}

}  // namespace

std::vector<Row> file_rows() {
  return {
      uv_row("files", "read_file of 4 KiB, one at a time", "ns/file", 8, measure<OurReads, 1>,
             measure<UvReads, 1>),
      uv_row("files", "read_file of 4 KiB, 32 at a time", "ns/file", 3, measure<OurReads, 32>,
             measure<UvReads, 32>),
      uv_row("files", "stat, one at a time", "ns/stat", 5, measure<OurStats, 1>,
             measure<UvStats, 1>),
  };
}

}  // namespace rondo::bench
