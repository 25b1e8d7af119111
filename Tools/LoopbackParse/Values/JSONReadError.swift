// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a text is not JSON.
struct JSONReadError: Error {
  let reason: String
  let position: Int

  var sentence: String { "\(reason) in JSON at position \(position)" }
}
