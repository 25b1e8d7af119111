// Ferry: offline-first sync for Parse Server. MIT licence.

#include "cjson.h"

#include <cstring>
#include <memory>
#include <new>

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

struct cjson_parser {
  simdjson::dom::parser parser;
  std::unique_ptr<uint8_t[]> source;
  size_t capacity = 0; // of source, without the padding
  size_t length = 0;
  size_t maximum_bytes;
  size_t maximum_depth;

  cjson_parser(size_t bytes, size_t depth) noexcept : maximum_bytes(bytes), maximum_depth(depth) {}
};

namespace {

// simdjson counts offsets in 32 bits.
constexpr size_t most_bytes = simdjson::SIMDJSON_MAXSIZE_BYTES - simdjson::SIMDJSON_PADDING;
constexpr size_t least_capacity = 65536;

int code_for(simdjson::error_code error) noexcept {
  switch (error) {
  case simdjson::SUCCESS: return CJSON_OK;
  case simdjson::EMPTY: return CJSON_EMPTY;
  case simdjson::CAPACITY: return CJSON_TOO_LARGE;
  case simdjson::MEMALLOC: return CJSON_NO_MEMORY;
  case simdjson::DEPTH_ERROR: return CJSON_TOO_DEEP;
  case simdjson::UTF8_ERROR: return CJSON_BAD_UTF8;
  case simdjson::STRING_ERROR:
  case simdjson::UNESCAPED_CHARS:
  case simdjson::UNCLOSED_STRING: return CJSON_BAD_STRING;
  case simdjson::NUMBER_ERROR:
  case simdjson::NUMBER_OUT_OF_RANGE: return CJSON_BAD_NUMBER;
  default: return CJSON_BAD_STRUCTURE;
  }
}

int grow(cjson_parser *self, size_t capacity) noexcept {
  uint8_t *bytes = new (std::nothrow) uint8_t[capacity + simdjson::SIMDJSON_PADDING];
  if (bytes == nullptr) { return CJSON_NO_MEMORY; }
  self->source.reset(bytes);
  self->capacity = capacity;
  simdjson::error_code error = self->parser.allocate(capacity, self->maximum_depth);
  if (error == simdjson::SUCCESS) { error = self->parser.doc.allocate(capacity); }
  if (error != simdjson::SUCCESS) { self->capacity = 0; }
  return code_for(error);
}

// Makes room for a document of `length` bytes. It reserves half as much again, so that pages of
// similar size share one buffer.
int reserve(cjson_parser *self, size_t length) noexcept {
  self->length = 0;
  if (length > self->maximum_bytes || length > most_bytes) { return CJSON_TOO_LARGE; }
  if (length <= self->capacity) { return CJSON_OK; }
  size_t most = self->maximum_bytes < most_bytes ? self->maximum_bytes : most_bytes;
  size_t capacity = length + length / 2;
  return grow(self, capacity < most ? capacity : most);
}

int parse(cjson_parser *self, size_t length) noexcept {
  self->length = length;
  std::memset(self->source.get() + length, ' ', simdjson::SIMDJSON_PADDING);
  return code_for(self->parser.parse(self->source.get(), length, false).error());
}

} // namespace

cjson_parser *cjson_create(size_t maximum_bytes, size_t maximum_depth) {
  cjson_parser *self = new (std::nothrow) cjson_parser(maximum_bytes, maximum_depth);
  if (self == nullptr || grow(self, least_capacity) == CJSON_OK) { return self; }
  delete self;
  return nullptr;
}

void cjson_destroy(cjson_parser *parser) { delete parser; }

int cjson_parse(cjson_parser *parser, const void *bytes, size_t length) {
  int code = reserve(parser, length);
  if (code != CJSON_OK) { return code; }
  if (length > 0) { std::memcpy(parser->source.get(), bytes, length); }
  return parse(parser, length);
}

const uint8_t *cjson_source(const cjson_parser *parser, size_t *length) {
  *length = parser->length;
  return parser->source.get();
}

const uint64_t *cjson_tape(const cjson_parser *parser) { return parser->parser.doc.tape.get(); }

const uint8_t *cjson_strings(const cjson_parser *parser) {
  return parser->parser.doc.string_buf.get();
}
