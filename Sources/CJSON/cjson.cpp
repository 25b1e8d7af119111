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

bool is_digit(uint8_t byte) noexcept { return byte >= '0' && byte <= '9'; }

bool is_one_of(const char *bytes, uint8_t byte) noexcept {
  return byte != 0 && std::strchr(bytes, byte) != nullptr;
}

// The end of the string that begins at `at`.
size_t end_of_string(const uint8_t *text, size_t at, size_t length) noexcept {
  for (at++; at < length && text[at] != '"'; at++) {
    if (text[at] == '\\') { at++; }
  }
  return at;
}

// Writes integers that 64 bits may not hold with an exponent, in the same room; returns whether there
// are any. JavaScript writes all digits of numbers up to 1e21, of which only the first 17 are not zero.
bool shorten_integers(uint8_t *text, size_t length) noexcept {
  bool is_any = false;
  for (size_t at = 0; at < length; at++) {
    if (text[at] == '"') { at = end_of_string(text, at, length); }
    if (at >= length || !is_digit(text[at])) { continue; }
    size_t begin = at;
    while (at < length && is_digit(text[at])) { at++; }
    bool is_negative = begin > 0 && text[begin - 1] == '-';
    size_t sign = is_negative ? begin - 1 : begin;
    bool is_whole = (sign == 0 || !is_one_of(".eE+", text[sign - 1]))
      && (at == length || !is_one_of(".eE", text[at]));
    if (is_whole && text[begin] != '0' && at - begin >= (is_negative ? 19 : 20)) {
      text[at - 2] = 'e';
      text[at - 1] = '2';
      is_any = true;
    }
    at--;
  }
  return is_any;
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
  code = parse(parser, length);
  if (code != CJSON_BAD_NUMBER || !shorten_integers(parser->source.get(), length)) { return code; }
  code = parse(parser, length);
  std::memcpy(parser->source.get(), bytes, length);
  return code;
}

const uint8_t *cjson_source(const cjson_parser *parser, size_t *length) {
  *length = parser->length;
  return parser->source.get();
}

const uint64_t *cjson_tape(const cjson_parser *parser) { return parser->parser.doc.tape.get(); }

const uint8_t *cjson_strings(const cjson_parser *parser) {
  return parser->parser.doc.string_buf.get();
}

const uint32_t *cjson_tokens(const cjson_parser *parser, size_t *count) {
  *count = parser->parser.implementation->n_structural_indexes;
  return parser->parser.implementation->structural_indexes.get();
}
