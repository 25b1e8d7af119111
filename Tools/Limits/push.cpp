// Ferry: offline-first sync for Parse Server. MIT licence.

// The limit of a push: rows as JSON in batches, several in flight, and nothing else.
//
// It sends the batches that Ferry sends, over as many connections. It does not write down what it sends, and it
// does not read the answers beyond their status.

#include "limits.hpp"

#include <curl/curl.h>

#include <memory>

namespace {

constexpr int writes_per_batch = 50;
constexpr int batches_in_flight = 4;

constexpr const char *selection =
  "SELECT objectId, title, count, ratio, done, whenValue, tags, place, owner, body FROM \"Note\" ORDER BY localId";

enum Column { object_id, title, number, ratio, done, when, tags, place, owner, body };

void append_string(std::string &json, std::string_view text) {
  json += '"';
  for (char byte : text) {
    if (byte == '"' || byte == '\\') {
      json += '\\';
      json += byte;
    } else if (static_cast<unsigned char>(byte) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      json += escape;
    } else {
      json += byte;
    }
  }
  json += '"';
}

std::string_view text(sqlite3_stmt *row, Column column) {
  const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(row, column));
  return {bytes, size_t(sqlite3_column_bytes(row, column))};
}

void append_write(std::string &json, sqlite3_stmt *row) {
  json += R"({"method":"POST","path":"/parse/classes/Note","body":{"ferryKey":)";
  append_string(json, text(row, object_id));
  json += R"(,"title":)";
  append_string(json, text(row, title));
  json += R"(,"count":)";
  json += text(row, number);
  json += R"(,"ratio":)";
  json += text(row, ratio);
  json += sqlite3_column_int(row, done) ? R"(,"done":true)" : R"(,"done":false)";
  json += R"(,"when":{"__type":"Date","iso":")";
  json += text(row, when);
  json += R"("},"tags":)";
  json += text(row, tags);
  json += R"(,"place":)";
  json += text(row, place);
  json += R"(,"owner":{"__type":"Pointer","className":"Person","objectId":)";
  append_string(json, text(row, owner));
  json += R"(},"body":)";
  append_string(json, text(row, body));
  json += "}}";
}

// The rows to send, from the first to the last; SQLite would begin again.
struct Rows {
  sqlite3_stmt *statement = nullptr;
  bool has_ended = false;

  bool next() {
    if (!has_ended) { has_ended = sqlite3_step(statement) != SQLITE_ROW; }
    return !has_ended;
  }
};

size_t ignore(char *, size_t size, size_t count, void *) { return size * count; }

// A connection that sends one batch after another.
struct Lane {
  CURL *handle = curl_easy_init();
  curl_slist *headers = nullptr;
  std::string url, json;

  explicit Lane(const char *server) : url(std::string(server) + "/batch") {
    for (const char *header : {"X-Parse-Application-Id: app1", "Content-Type: application/json", "Expect:"}) {
      headers = curl_slist_append(headers, header);
    }
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, ignore);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, this);
  }
  ~Lane() {
    curl_easy_cleanup(handle);
    curl_slist_free_all(headers);
  }
  Lane(const Lane &) = delete;

  // Begins the next batch; false where no row is left.
  bool begin(CURLM *multi, Rows &rows) {
    json = R"({"requests":[)";
    int writes = 0;
    while (writes < writes_per_batch && rows.next()) {
      if (writes++ > 0) { json += ','; }
      append_write(json, rows.statement);
    }
    if (writes == 0) { return false; }
    json += "]}";
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, json.c_str());
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, long(json.size()));
    curl_multi_add_handle(multi, handle);
    return true;
  }
};

void check_answer(CURLMsg *message) {
  long status = 0;
  curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
  if (message->data.result != CURLE_OK || status != 200) { fail("a batch was not answered with 200"); }
}

} // namespace

void run_push(const char *path, const char *server) {
  Database database(path);
  Rows rows;
  check(sqlite3_prepare_v2(database.handle, selection, -1, &rows.statement, nullptr), database.handle);
  CURLM *multi = curl_multi_init();
  std::unique_ptr<Lane> lanes[batches_in_flight];
  int running = 0;
  for (auto &lane : lanes) {
    lane = std::make_unique<Lane>(server);
    running += lane->begin(multi, rows);
  }
  while (running > 0) {
    int active = 0, left = 0;
    curl_multi_perform(multi, &active);
    while (CURLMsg *message = curl_multi_info_read(multi, &left)) {
      check_answer(message);
      Lane *lane = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &lane);
      curl_multi_remove_handle(multi, lane->handle);
      if (!lane->begin(multi, rows)) { running--; }
    }
    if (running > 0) { curl_multi_poll(multi, nullptr, 0, 1000, nullptr); }
  }
  sqlite3_finalize(rows.statement);
  for (auto &lane : lanes) { lane.reset(); }
  curl_multi_cleanup(multi);
}
