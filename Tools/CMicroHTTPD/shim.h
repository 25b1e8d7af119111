#pragma once

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Swift cannot call variadic functions, and libmicrohttpd's closed enums import with cases that no
// one can read: hence these thin wrappers and nothing else.

/// Called with a request's raw target before anything else; what it returns becomes the context.
typedef void *_Nullable (*ferry_httpd_open)(void *_Nullable server, const char *_Nullable target);

/// Called with the head, then for each piece of the body (size > 0), then once at its end (size 0).
/// Zero closes the connection without an answer.
typedef int (*ferry_httpd_receive)(
  void *_Nullable server, struct MHD_Connection *_Nonnull connection, const char *_Nonnull method,
  const char *_Nullable bytes, size_t size, void *_Nonnull context);

/// Called when the context is no longer needed.
typedef void (*ferry_httpd_close)(void *_Nonnull context);

/// Called when a connection has come about (1) and when it is no more (-1).
typedef void (*ferry_httpd_count)(void *_Nullable server, int change);

struct ferry_httpd_callbacks {
  void *_Nullable server;
  ferry_httpd_open _Nonnull open;
  ferry_httpd_receive _Nonnull receive;
  ferry_httpd_close _Nonnull close;
  ferry_httpd_count _Nonnull count;
};

// MHD's callback types return its enums; these adapt ours.
static enum MHD_Result ferry_httpd_handle(
  void *cls, struct MHD_Connection *connection, const char *url, const char *method,
  const char *version, const char *bytes, size_t *size, void **context
) {
  (void)url;
  (void)version;
  struct ferry_httpd_callbacks *callbacks = cls;
  if (*context == NULL) return MHD_NO;
  int result = callbacks->receive(callbacks->server, connection, method, bytes, *size, *context);
  *size = 0;
  return result ? MHD_YES : MHD_NO;
}

static void *ferry_httpd_target(void *cls, const char *uri, struct MHD_Connection *connection) {
  (void)connection;
  struct ferry_httpd_callbacks *callbacks = cls;
  return callbacks->open(callbacks->server, uri);
}

static void ferry_httpd_completed(
  void *cls, struct MHD_Connection *connection, void **context,
  enum MHD_RequestTerminationCode code
) {
  (void)connection;
  (void)code;
  struct ferry_httpd_callbacks *callbacks = cls;
  if (*context != NULL) callbacks->close(*context);
  *context = NULL;
}

static void ferry_httpd_connection(
  void *cls, struct MHD_Connection *connection, void **context,
  enum MHD_ConnectionNotificationCode code
) {
  (void)connection;
  (void)context;
  struct ferry_httpd_callbacks *callbacks = cls;
  callbacks->count(callbacks->server, code == MHD_CONNECTION_NOTIFY_STARTED ? 1 : -1);
}

// Paths reach us as they were sent: an id may hold an encoded slash.
static size_t ferry_httpd_keep(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls;
  (void)connection;
  return strlen(text);
}

static inline struct MHD_Daemon *_Nullable ferry_httpd_start(
  uint16_t port, unsigned idle_seconds, struct ferry_httpd_callbacks *_Nonnull callbacks
) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(
    MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL
      | MHD_USE_SUPPRESS_DATE_NO_CLOCK | MHD_ALLOW_UPGRADE,
    port, NULL, NULL, ferry_httpd_handle, callbacks,
    MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
    MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
    MHD_OPTION_URI_LOG_CALLBACK, ferry_httpd_target, callbacks,
    MHD_OPTION_NOTIFY_COMPLETED, ferry_httpd_completed, callbacks,
    MHD_OPTION_NOTIFY_CONNECTION, ferry_httpd_connection, callbacks,
    MHD_OPTION_UNESCAPE_CALLBACK, ferry_httpd_keep, NULL,
    MHD_OPTION_END);
}

/// The port a started server listens at; 0 if it cannot be told.
static inline uint16_t ferry_httpd_port(struct MHD_Daemon *_Nonnull daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

/// Visits each header of a request.
typedef void (*ferry_httpd_visit)(
  void *_Nonnull context, const char *_Nonnull name, const char *_Nonnull value);

struct ferry_httpd_visitor {
  ferry_httpd_visit _Nonnull visit;
  void *_Nonnull context;
};

static enum MHD_Result ferry_httpd_each(
  void *cls, enum MHD_ValueKind kind, const char *name, const char *value
) {
  (void)kind;
  struct ferry_httpd_visitor *visitor = cls;
  visitor->visit(visitor->context, name, value == NULL ? "" : value);
  return MHD_YES;
}

static inline void ferry_httpd_headers(
  struct MHD_Connection *_Nonnull connection, ferry_httpd_visit _Nonnull visit,
  void *_Nonnull context
) {
  struct ferry_httpd_visitor visitor = {visit, context};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, ferry_httpd_each, &visitor);
}

/// An answer whose bytes are copied.
static inline struct MHD_Response *_Nullable ferry_httpd_response(
  const void *_Nullable bytes, size_t size
) {
  return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// An answer that promises `size` bytes and then ends after fewer, as a connection that is cut does.
struct ferry_httpd_cut {
  size_t kept;
  char bytes[];
};

static ssize_t ferry_httpd_read_cut(void *cls, uint64_t position, char *buffer, size_t most) {
  struct ferry_httpd_cut *cut = cls;
  if (position >= cut->kept) return MHD_CONTENT_READER_END_WITH_ERROR;
  size_t rest = cut->kept - (size_t)position;
  size_t count = rest < most ? rest : most;
  memcpy(buffer, cut->bytes + position, count);
  return (ssize_t)count;
}

static inline struct MHD_Response *_Nullable ferry_httpd_cut_response(
  const void *_Nullable bytes, size_t kept, size_t size
) {
  struct ferry_httpd_cut *cut = malloc(sizeof *cut + kept);
  if (cut == NULL) return NULL;
  cut->kept = kept;
  if (kept > 0) memcpy(cut->bytes, bytes, kept);
  return MHD_create_response_from_callback(size, 4096, ferry_httpd_read_cut, cut, free);
}

static ssize_t ferry_httpd_read_zeros(void *cls, uint64_t position, char *buffer, size_t most) {
  (void)cls;
  (void)position;
  memset(buffer, 0, most);
  return (ssize_t)most;
}

/// An answer of zeros, which are made while they are sent.
static inline struct MHD_Response *_Nullable ferry_httpd_zeros_response(uint64_t size) {
  return MHD_create_response_from_callback(size, 1 << 16, ferry_httpd_read_zeros, NULL, NULL);
}

/// Adds a header; zero if the name or value is not allowed.
static inline int ferry_httpd_add_header(
  struct MHD_Response *_Nonnull response, const char *_Nonnull name, const char *_Nonnull value
) {
  return MHD_add_response_header(response, name, value) == MHD_YES;
}

/// Called with the socket of a connection that is no HTTP any more, the bytes that came already, and a handle to end it.
typedef void (*ferry_httpd_upgraded)(
  void *_Nonnull context, int socket, const char *_Nullable bytes, size_t size,
  struct MHD_UpgradeResponseHandle *_Nonnull handle);

struct ferry_httpd_upgrade {
  ferry_httpd_upgraded _Nonnull upgraded;
  void *_Nonnull context;
};

static void ferry_httpd_upgrade_handle(
  void *cls, struct MHD_Connection *connection, void *con_cls, const char *extra, size_t size,
  MHD_socket socket, struct MHD_UpgradeResponseHandle *handle
) {
  (void)connection;
  (void)con_cls;
  struct ferry_httpd_upgrade *upgrade = cls;
  upgrade->upgraded(upgrade->context, socket, extra, size, handle);
  free(upgrade);
}

/// An answer that makes a websocket of the connection; the context is passed on to `upgraded`, once.
static inline struct MHD_Response *_Nullable ferry_httpd_upgrade_response(
  void *_Nonnull context, ferry_httpd_upgraded _Nonnull upgraded
) {
  struct ferry_httpd_upgrade *upgrade = malloc(sizeof *upgrade);
  if (upgrade == NULL) return NULL;
  upgrade->upgraded = upgraded;
  upgrade->context = context;
  return MHD_create_response_for_upgrade(ferry_httpd_upgrade_handle, upgrade);
}

/// Ends a connection that is no HTTP any more, and closes its socket.
static inline void ferry_httpd_end_upgrade(struct MHD_UpgradeResponseHandle *_Nonnull handle) {
  MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

/// Queues an answer and gives it up; zero closes the connection.
static inline int ferry_httpd_send(
  struct MHD_Connection *_Nonnull connection, unsigned status,
  struct MHD_Response *_Nonnull response
) {
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result == MHD_YES;
}
