// Ferry: offline-first sync for Parse Server. MIT licence.

#pragma once

#include "limits.hpp"

#include <simdjson.h>

#include <string>

// Writes pages into one table, with as many rows a transaction as Ferry.
class Importer {
public:
  // Makes the table where there is none; the caller has begun no transaction.
  Importer(sqlite3 *database, const std::string &table);
  ~Importer();
  Importer(const Importer &) = delete;

  // Imports a page into the open transaction; returns its number of rows.
  int import_page(const std::string &path);

private:
  sqlite3 *database;
  sqlite3_stmt *statement = nullptr;
  simdjson::dom::parser parser;
};

// Imports within transactions of a database.
struct Transactions {
  sqlite3 *database;
  int rows = 0;

  // Sets the database up as Ferry does.
  explicit Transactions(sqlite3 *database);
  void begin() { execute(database, "BEGIN IMMEDIATE"); }
  void added(int count);
  void commit() { execute(database, "COMMIT"); }
};
