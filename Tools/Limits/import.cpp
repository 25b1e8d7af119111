// Ferry: offline-first sync for Parse Server. MIT licence.

// The limit of an import: simdjson and an upsert, and nothing else.
//
// It writes the pages of a folder into the table that Ferry would make, with Ferry's settings of SQLite and as
// many rows a transaction. It captures nothing, compares nothing, keeps no history and looks nothing up.

#include "importer.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace {

std::vector<std::string> pages(const char *folder) {
  std::vector<std::string> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") { paths.push_back(entry.path()); }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

} // namespace

void run_import(const char *path, const char *folder) {
  Database database(path);
  try {
    Transactions transactions(database.handle);
    Importer importer(database.handle, "Note");
    transactions.begin();
    for (const std::string &page : pages(folder)) { transactions.added(importer.import_page(page)); }
    transactions.commit();
  } catch (const simdjson::simdjson_error &error) {
    fail(error.what());
  }
}
