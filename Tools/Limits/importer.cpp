// Ferry: offline-first sync for Parse Server. MIT licence.

#include "importer.hpp"

using simdjson::dom::element;
using simdjson::dom::object;

namespace {

constexpr const char *settings =
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384;"
  "PRAGMA wal_autocheckpoint = 4000;";

constexpr const char *columns =
  " (localId INTEGER PRIMARY KEY AUTOINCREMENT,"
  "objectId TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(10)))),"
  "title TEXT, count INTEGER, ratio REAL, done INTEGER, whenValue TEXT, tags TEXT, place TEXT, owner TEXT,"
  "body TEXT, acl TEXT, createdAt TEXT, updatedAt TEXT) STRICT";

constexpr const char *upsert =
  " (objectId, createdAt, updatedAt, title, count, ratio, done, whenValue, tags, place,"
  " owner, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (objectId) DO UPDATE SET"
  " createdAt = excluded.createdAt, updatedAt = excluded.updatedAt, title = excluded.title,"
  " count = excluded.count, ratio = excluded.ratio, done = excluded.done, whenValue = excluded.whenValue,"
  " tags = excluded.tags, place = excluded.place, owner = excluded.owner, body = excluded.body";

enum Parameter { object_id = 1, created, updated, title, number, ratio, done, when, tags, place, owner, body };

constexpr int rows_per_transaction = 20000;

void bind(sqlite3_stmt *statement, Parameter parameter, std::string_view text) {
  sqlite3_bind_text(statement, parameter, text.data(), int(text.size()), SQLITE_STATIC);
}

// The columns that hold JSON, written anew from the parsed page.
struct Texts {
  std::string tags, place;
};

// Binds the members of a record; simdjson's strings stay until the next page.
void bind(sqlite3_stmt *statement, object record, Texts &texts) {
  for (auto field : record) {
    std::string_view key = field.key;
    element content = field.value;
    if (key == "objectId") { bind(statement, object_id, content.get_string()); }
    else if (key == "createdAt") { bind(statement, created, content.get_string()); }
    else if (key == "updatedAt") { bind(statement, updated, content.get_string()); }
    else if (key == "title") { bind(statement, title, content.get_string()); }
    else if (key == "count") { sqlite3_bind_int64(statement, number, content.get_int64()); }
    else if (key == "ratio") { sqlite3_bind_double(statement, ratio, content.get_double()); }
    else if (key == "done") { sqlite3_bind_int64(statement, done, bool(content.get_bool())); }
    else if (key == "when") { bind(statement, when, content["iso"].get_string()); }
    else if (key == "tags") { bind(statement, tags, texts.tags = simdjson::minify(content)); }
    else if (key == "place") { bind(statement, place, texts.place = simdjson::minify(content)); }
    else if (key == "owner") { bind(statement, owner, content["objectId"].get_string()); }
    else if (key == "body") { bind(statement, body, content.get_string()); }
  }
}

} // namespace

Importer::Importer(sqlite3 *database, const std::string &table) : database(database) {
  const std::string name = '"' + table + '"';
  execute(database, ("CREATE TABLE IF NOT EXISTS " + name + columns).c_str());
  check(sqlite3_prepare_v2(database, ("INSERT INTO " + name + upsert).c_str(), -1, &statement, nullptr), database);
}

Importer::~Importer() { sqlite3_finalize(statement); }

int Importer::import_page(const std::string &path) {
  Texts texts;
  int rows = 0;
  for (object record : parser.load(path)["results"].get_array()) {
    sqlite3_clear_bindings(statement);
    bind(statement, record, texts);
    check(sqlite3_step(statement), database);
    sqlite3_reset(statement);
    rows++;
  }
  return rows;
}

Transactions::Transactions(sqlite3 *database) : database(database) { execute(database, settings); }

void Transactions::added(int count) {
  rows += count;
  if (rows < rows_per_transaction) { return; }
  commit();
  begin();
  rows = 0;
}
