// Ferry: offline-first sync for Parse Server. MIT licence.

// The limits that ferry-bench compares Ferry with: programs that do the same work and keep nothing.
//
//   ferry-limit import DATABASE FOLDER      the staged pages of a folder into a table
//   ferry-limit pull DATABASE SERVER FOLDER CLASSES ROWS      the rows of each class from a server, by files
//   ferry-limit push DATABASE SERVER        the rows of a table to a server, as creates in batches
//   ferry-limit edit DATABASE EDIT N PER    N rows inserted, updated or deleted, PER a transaction
//
// `ferry-limit measure PROGRAM …` runs any program and prints its cost.

#include "limits.hpp"

int main(int count, char **arguments) {
  const std::string_view task = count > 2 ? arguments[1] : "";
  if (task == "measure") {
    run_measured(arguments + 2);
  } else if (task == "import" && count == 4) {
    run_import(arguments[2], arguments[3]);
  } else if (task == "pull" && count == 7) {
    run_pull(arguments[2], arguments[3], arguments[4], std::atoi(arguments[5]), std::atoi(arguments[6]));
  } else if (task == "push" && count == 4) {
    run_push(arguments[2], arguments[3]);
  } else if (task == "edit" && count == 6) {
    run_edit(arguments[2], arguments[3], std::atoi(arguments[4]), std::atoi(arguments[5]));
  } else {
    fail("usage: ferry-limit import DATABASE FOLDER | pull DATABASE SERVER FOLDER CLASSES ROWS | push DATABASE SERVER | edit DATABASE EDIT N PER | measure PROGRAM …");
  }
}
