// Ferry: offline-first sync for Parse Server. MIT licence.

#pragma once

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

[[noreturn]] inline void fail(const char *what) {
  std::fprintf(stderr, "ferry-limit: %s\n", what);
  std::exit(1);
}

inline void check(int result, sqlite3 *database) {
  if (result != SQLITE_OK && result != SQLITE_DONE) { fail(sqlite3_errmsg(database)); }
}

inline void execute(sqlite3 *database, const char *sql) {
  check(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), database);
}

// An open database; a program that fails ends, so it has no errors to hand on.
struct Database {
  sqlite3 *handle = nullptr;

  explicit Database(const char *path) {
    if (sqlite3_open(path, &handle) != SQLITE_OK) { fail("cannot open the database"); }
  }
  ~Database() { sqlite3_close(handle); }
  Database(const Database &) = delete;

  void execute(const char *sql) { ::execute(handle, sql); }
};

// The tasks, one a file.
void run_import(const char *database, const char *folder);
void run_pull(const char *database, const char *server, const char *folder, int classes, int rows);
void run_push(const char *database, const char *server);
void run_edit(const char *database, std::string_view edit, int rows, int rows_per_transaction);
void run_measured(char **arguments);
