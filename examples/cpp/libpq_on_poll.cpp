// libpq on a loop: PostgreSQL's own client library connects and queries without blocking; a Poll
// says when its socket is ready. A query is awaited.
//
//     libpq_on_poll CONNECTION [QUERY...]         CONNECTION: "host=/run/postgresql dbname=test"
//
// Without arguments it shows that a server which is not there is an error, and not a wait.
#include <postgresql/libpq-fe.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <rondo/rondo.h>

namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;
template <class T>
using Answer = std::expected<T, std::string>;  // or what PostgreSQL says

class Database {
 public:
  static rondo::Async<Answer<std::unique_ptr<Database>>> connect(rondo::Loop& loop,
                                                                 std::string where) {
    std::unique_ptr<Database> database(new Database(loop, PQconnectStart(where.c_str())));
    PGconn* connection = database->connection_.get();
    PostgresPollingStatusType state = PGRES_POLLING_WRITING;
    while (PQstatus(connection) != CONNECTION_BAD && state != PGRES_POLLING_OK &&
           state != PGRES_POLLING_FAILED) {
      // With each address that is tried there is another socket.
      co_await database->ready(state == PGRES_POLLING_READING ? rondo::PollEvents::readable
                                                              : rondo::PollEvents::writable);
      state = PQconnectPoll(connection);
    }
    if (PQstatus(connection) != CONNECTION_OK)
      co_return std::unexpected(PQerrorMessage(connection));
    PQsetnonblocking(connection, 1);
    co_return std::move(database);
  }

  rondo::Async<Answer<Rows>> query(std::string text) {
    PGconn* connection = connection_.get();
    if (PQsendQuery(connection, text.c_str()) == 0)
      co_return std::unexpected(PQerrorMessage(connection));
    while (PQflush(connection) == 1) {
      co_await ready(rondo::PollEvents::readable | rondo::PollEvents::writable);
      PQconsumeInput(connection);
    }
    Answer<Rows> answer;
    while (true) {
      while (PQisBusy(connection) != 0) {
        co_await ready(rondo::PollEvents::readable);
        if (PQconsumeInput(connection) == 0) co_return std::unexpected(PQerrorMessage(connection));
      }
      const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQgetResult(connection), &PQclear);
      if (result == nullptr) co_return answer;
      if (answer) answer = take(result.get());
    }
  }

 private:
  Database(rondo::Loop& loop, PGconn* connection)
      : loop_(loop), connection_(connection, &PQfinish) {}

  rondo::Async<> ready(rondo::PollEvents events) {
    rondo::Poll poll(loop_, PQsocket(connection_.get()));
    rondo::Event happened;
    if (!poll.start(events, [&](rondo::PollEvents) { happened.set(); })) co_return;
    (void)co_await happened.wait();
  }

  static Answer<Rows> take(PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
      return std::unexpected(PQresultErrorMessage(result));
    Rows rows(static_cast<std::size_t>(PQntuples(result)));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (int column = 0; column < PQnfields(result); ++column) {
        rows[i].emplace_back(PQgetvalue(result, static_cast<int>(i), column));
      }
    }
    return rows;
  }

  rondo::Loop& loop_;
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

rondo::Async<int> run(rondo::Loop& loop, std::string where, std::vector<std::string> queries) {
  auto database = co_await Database::connect(loop, where);
  if (!database) {
    std::printf("%s", database.error().c_str());
    co_return 1;
  }
  for (const std::string& text : queries) {
    auto rows = co_await (*database)->query(text);
    if (!rows) {
      std::printf("%s", rows.error().c_str());
      co_return 1;
    }
    for (const Row& row : *rows) {
      for (const std::string& field : row) std::printf("%s\t", field.c_str());
      std::puts("");
    }
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  rondo::Loop loop;
  if (argc == 1)
    return block_on(loop, run(loop, "host=/nowhere connect_timeout=5", {})) == 1 ? 0 : 1;
  return block_on(loop, run(loop, argv[1], std::vector<std::string>(argv + 2, argv + argc)));
}
