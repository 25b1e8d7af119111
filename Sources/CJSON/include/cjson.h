// Ferry: offline-first sync for Parse Server. MIT licence.

// A C interface to simdjson: one parser that keeps its buffers from page to page, and its tape.
// Swift walks the tape itself, so reading a page costs two calls instead of one for each value. No
// C++ exception passes this header.

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cjson_parser cjson_parser;

// The result of parsing. Zero is success; callers distinguish the other reasons.
enum {
  CJSON_OK = 0,
  CJSON_EMPTY = 1,           // nothing but white space
  CJSON_TOO_LARGE = 2,       // longer than the parser's limit
  CJSON_TOO_DEEP = 3,        // nested deeper than the parser's limit
  CJSON_NO_MEMORY = 4,
  CJSON_BAD_UTF8 = 5,
  CJSON_BAD_STRING = 6,      // unclosed, a bad escape, a raw control character, a lone surrogate
  CJSON_BAD_NUMBER = 7,      // not a number, or too large for a double
  CJSON_BAD_STRUCTURE = 8    // a bracket, comma, colon or word where none may be
};

// A parser for documents of up to `maximum_bytes` bytes and `maximum_depth` levels; NULL if memory
// is short. One thread at a time may use it.
cjson_parser *cjson_create(size_t maximum_bytes, size_t maximum_depth);
void cjson_destroy(cjson_parser *parser);

// Copies a document into the parser's padded buffer and parses it there.
int cjson_parse(cjson_parser *parser, const void *bytes, size_t length);

// The last document, valid until the next parse. The source is available even after a failure; tape,
// strings and tokens only after a success.
const uint8_t *cjson_source(const cjson_parser *parser, size_t *length);
const uint64_t *cjson_tape(const cjson_parser *parser);
const uint8_t *cjson_strings(const cjson_parser *parser);
// Where the source has a bracket, a comma, a colon or the beginning of another value, in order.
const uint32_t *cjson_tokens(const cjson_parser *parser, size_t *count);

#ifdef __cplusplus
}
#endif
