// Ferry: offline-first sync for Parse Server. MIT licence.

/// That SQLite refuses a statement, with a message that has these words in it.
struct SQLRefusal: Sendable {
  var words = ""
}
