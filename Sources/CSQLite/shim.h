// SQLite's interface, and wrappers for the few calls that Swift cannot import. Those take a macro
// made of a cast (SQLITE_TRANSIENT) or a variable number of arguments.
#pragma once
#include <sqlite3.h>

static inline int ferry_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text,
                                         sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int ferry_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                         sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int ferry_sqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// The settings of the process take one number or two; SQLite reads as many as the option has.
static inline int ferry_sqlite_configure_process(int option, int first, int second) {
  return sqlite3_config(option, first, second);
}
