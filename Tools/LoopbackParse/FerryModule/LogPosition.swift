// Ferry: offline-first sync for Parse Server. MIT licence.

/// A place in the deletion log: behind the entry `id` of the moment `at`, in answers that end at the moment `end`.
struct LogPosition {
  var at: Int64
  var id = ""
  var end: Int64?

  var text: String { id.isEmpty ? String(at) : "\(at)/\(id)/\(end ?? at)" }

  init(at: Int64, id: String = "", end: Int64? = nil) {
    self.at = at
    self.id = id
    self.end = end
  }

  /// The place that a caller sends back; nil where the caller has none yet.
  init?(_ given: LoopbackValue?) throws(Refusal) {
    guard let given, given != .null else { return nil }
    guard
      let match = given.string?.wholeMatch(
        of: /([0-9]{1,15})(?:\/([A-Za-z0-9_]{1,200})\/([0-9]{1,15}))?/),
      let at = Int64(match.1)
    else { throw .parse(142, "\"since\" must be the \"until\" of an answer before.") }
    self.init(at: at, id: match.2.map(String.init) ?? "", end: match.3.flatMap { Int64($0) })
  }
}
