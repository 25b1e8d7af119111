// Ferry: offline-first sync for Parse Server. MIT licence.

/// A request that has passed the checks: who asks, for what, with which parameters.
struct Call {
  let method: String
  /// The path below the mount.
  let path: String
  var body: LoopbackValue
  /// The parameters of the URL.
  var query: [String: LoopbackValue] = [:]
  let caller: Caller
  /// What is written is stamped with this moment.
  let stamp: Instant

  /// The parameters of a query, which may come by the body or by the URL.
  var parameters: [String: LoopbackValue] {
    (body.object ?? [:]).merging(query) { _, fromURL in fromURL }
  }

  /// The body's fields; anything but an object counts as none.
  var fields: [String: LoopbackValue] { body.object ?? [:] }
}
