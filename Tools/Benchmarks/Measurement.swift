// Ferry: offline-first sync for Parse Server. MIT licence.

/// The cost of a program's run from its start to its end.
struct Measurement {
  var wallSeconds: Double
  /// The time of all its threads, in the program and in the system.
  var processorSeconds: Double
  /// The most memory that it had at once, in bytes.
  var peakMemory: Int
  /// The requests that it sent; nil where there is no server.
  var requests: Int?
  /// The wall time of its parts, by name, where it tells them.
  var parts: [String: Double] = [:]

  /// The cost of each of several equal parts; the memory is that of all.
  func divided(by parts: Int) -> Measurement {
    Measurement(
      wallSeconds: wallSeconds / Double(parts), processorSeconds: processorSeconds / Double(parts),
      peakMemory: peakMemory, requests: requests.map { $0 / parts },
      parts: self.parts.mapValues { $0 / Double(parts) })
  }
}
