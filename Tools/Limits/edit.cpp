// Ferry: offline-first sync for Parse Server. MIT licence.

// Edits of an app, in plain SQL: on a table of Ferry's they are captured, on any other they are not.

#include "limits.hpp"

namespace {

constexpr const char *table =
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384;"
  "CREATE TABLE IF NOT EXISTS \"Note\" ("
  "localId INTEGER PRIMARY KEY AUTOINCREMENT,"
  "objectId TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(10)))),"
  "title TEXT, count INTEGER, ratio REAL, done INTEGER, whenValue TEXT, tags TEXT, place TEXT, owner TEXT,"
  "body TEXT, acl TEXT, createdAt TEXT, updatedAt TEXT) STRICT";

constexpr const char *insertion =
  "INSERT INTO \"Note\" (title, count, ratio, done, whenValue, tags, place, owner, body) VALUES ('Record ' || ?1, ?1,"
  " ?1 / 7.0, ?1 % 2, '2026-03-01T18:30:00.250Z', '[\"alpha\",\"bravo\"]',"
  " '{\"__type\":\"GeoPoint\",\"latitude\":1.5,\"longitude\":2.5}', 'p' || ?1 % 1000,"
  " 'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa')";

constexpr const char *one_column = "UPDATE \"Note\" SET count = count + 1 WHERE localId = ?1";

constexpr const char *all_columns =
  "UPDATE \"Note\" SET title = title || '!', count = count + 1, ratio = ratio + 0.5, done = 1 - done,"
  " whenValue = '2026-04-01T18:30:00.250Z', tags = '[\"charlie\"]',"
  " place = '{\"__type\":\"GeoPoint\",\"latitude\":3.5,\"longitude\":2.5}', owner = owner || 'x', body = body || '!'"
  " WHERE localId = ?1";

constexpr const char *deletion = "DELETE FROM \"Note\" WHERE localId = ?1";

const char *statement_of(std::string_view edit) {
  if (edit == "insert") { return insertion; }
  if (edit == "update") { return one_column; }
  if (edit == "update-all") { return all_columns; }
  if (edit == "delete") { return deletion; }
  fail("an edit is insert, update, update-all or delete");
}

} // namespace

void run_edit(const char *path, std::string_view edit, int rows, int rows_per_transaction) {
  Database database(path);
  database.execute(table);
  sqlite3_stmt *statement = nullptr;
  check(sqlite3_prepare_v2(database.handle, statement_of(edit), -1, &statement, nullptr), database.handle);
  for (int row = 1; row <= rows; row++) {
    if (row % rows_per_transaction == 1 || rows_per_transaction == 1) { database.execute("BEGIN IMMEDIATE"); }
    sqlite3_bind_int(statement, 1, row);
    check(sqlite3_step(statement), database.handle);
    sqlite3_reset(statement);
    if (row % rows_per_transaction == 0 || row == rows) { database.execute("COMMIT"); }
  }
  sqlite3_finalize(statement);
}
