// Ferry: offline-first sync for Parse Server. MIT licence.

// The limit of a first sync: pages from a server to files, and from there into tables, and nothing else.
//
// Each class has a connection that asks for one page after another, as Ferry's listings do. A thread imports the files
// meanwhile. The caller gives the number of rows, so that the program counts nothing and asks for no page too many.

#include "importer.hpp"

#include <curl/curl.h>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int rows_per_page = 1000;

struct Page {
  int class_number;
  std::string path;
};

// The pages that wait for their import.
class Pages {
public:
  void push(Page page) {
    std::lock_guard lock(mutex);
    waiting.push_back(std::move(page));
    came.notify_one();
  }
  void end() {
    std::lock_guard lock(mutex);
    has_ended = true;
    came.notify_one();
  }
  // False behind the last page.
  bool pop(Page &page) {
    std::unique_lock lock(mutex);
    came.wait(lock, [&] { return has_ended || !waiting.empty(); });
    if (waiting.empty()) { return false; }
    page = std::move(waiting.front());
    waiting.pop_front();
    return true;
  }

private:
  std::mutex mutex;
  std::condition_variable came;
  std::deque<Page> waiting;
  bool has_ended = false;
};

std::string class_name(int number) { return number == 0 ? "Note" : "Note" + std::to_string(number); }

void import_pages(const char *path, int classes, Pages &pages) {
  Database database(path);
  Transactions transactions(database.handle);
  std::vector<std::unique_ptr<Importer>> importers;
  for (int number = 0; number < classes; number++) {
    importers.push_back(std::make_unique<Importer>(database.handle, class_name(number)));
  }
  transactions.begin();
  Page page;
  while (pages.pop(page)) {
    transactions.added(importers[page.class_number]->import_page(page.path));
    std::filesystem::remove(page.path);
  }
  transactions.commit();
}

size_t append(char *bytes, size_t size, size_t count, void *body) {
  static_cast<std::string *>(body)->append(bytes, size * count);
  return size * count;
}

// The listing of one class.
struct Listing {
  CURL *handle = curl_easy_init();
  curl_slist *headers = curl_slist_append(nullptr, "X-Parse-Application-Id: app1");
  std::string base, url, body;
  int class_number, rows, next = 0;

  Listing(const char *server, int class_number, int rows)
    : base(std::string(server) + "/classes/" + class_name(class_number) + "?order=updatedAt%2CobjectId&limit="
        + std::to_string(rows_per_page) + "&skip="),
      class_number(class_number), rows(rows) {
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, this);
  }
  ~Listing() {
    curl_easy_cleanup(handle);
    curl_slist_free_all(headers);
  }
  Listing(const Listing &) = delete;

  // Asks for the next page; false behind the last one.
  bool ask(CURLM *multi) {
    if (next >= rows) { return false; }
    url = base + std::to_string(next);
    next += rows_per_page;
    body.clear();
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_multi_add_handle(multi, handle);
    return true;
  }

  Page stored(const std::string &folder) const {
    Page page{class_number, folder + "/" + class_name(class_number) + "-" + std::to_string(next) + ".json"};
    std::ofstream(page.path, std::ios::binary) << body;
    return page;
  }
};

void check_answer(CURLMsg *message) {
  long status = 0;
  curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
  if (message->data.result != CURLE_OK || status != 200) { fail("a page was not answered with 200"); }
}

void download(const char *server, const char *folder, int classes, int rows, Pages &pages) {
  CURLM *multi = curl_multi_init();
  std::vector<std::unique_ptr<Listing>> listings;
  int running = 0;
  for (int number = 0; number < classes; number++) {
    listings.push_back(std::make_unique<Listing>(server, number, rows));
    running += listings.back()->ask(multi);
  }
  while (running > 0) {
    int active = 0, left = 0;
    curl_multi_perform(multi, &active);
    while (CURLMsg *message = curl_multi_info_read(multi, &left)) {
      check_answer(message);
      Listing *listing = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &listing);
      curl_multi_remove_handle(multi, listing->handle);
      pages.push(listing->stored(folder));
      if (!listing->ask(multi)) { running--; }
    }
    if (running > 0) { curl_multi_poll(multi, nullptr, 0, 1000, nullptr); }
  }
  listings.clear();
  curl_multi_cleanup(multi);
}

} // namespace

void run_pull(const char *path, const char *server, const char *folder, int classes, int rows) {
  std::filesystem::create_directories(folder);
  Pages pages;
  try {
    std::thread import([&] { import_pages(path, classes, pages); });
    download(server, folder, classes, rows, pages);
    pages.end();
    import.join();
  } catch (const simdjson::simdjson_error &error) {
    fail(error.what());
  }
}
