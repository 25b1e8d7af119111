// Ferry: offline-first sync for Parse Server. MIT licence.

/// A request that has passed the checks: who asks, for what, with which parameters.
struct Call {
  let method: String
  /// The path below the mount.
  let path: String
  var body: LoopbackValue
  /// The parameters of the URL, as texts.
  var texts: [String: LoopbackValue] = [:]
  let caller: Caller
  /// The stamp of all that the request writes.
  let stamp: Instant

  /// The parameters of a query, which may come by the body or by the URL; there, each is JSON if it
  /// can be read so, else a text.
  var parameters: [String: LoopbackValue] {
    let query = texts.mapValues { value in
      guard let text = value.string else { return value }
      return (try? JSONReader.value(of: Array(text.utf8))) ?? value
    }
    return fields.merging(query) { _, fromURL in fromURL }
  }

  /// The body's fields; anything but an object counts as none.
  var fields: [String: LoopbackValue] { body.object ?? [:] }
}
