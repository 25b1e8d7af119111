// Ferry: offline-first sync for Parse Server. MIT licence.

/// How long a server has been silent: requests are on their way, and no answer comes.
///
/// Said after five seconds, and again each time that the silence has doubled.
struct Silence {
  /// When each request on its way has left or leaves, by its tag.
  private var departures: [Int: Double] = [:]
  private var lastAnswer = -Double.infinity
  private var limit = Self.first

  static let first: Double = 5

  /// Takes a request that leaves after a delay.
  mutating func left(_ tag: Int, at seconds: Double) { departures[tag] = seconds }

  /// Takes the end of an exchange, answered or not.
  mutating func ended(_ tag: Int, at seconds: Double) {
    departures[tag] = nil
    lastAnswer = seconds
    limit = Self.first
  }

  /// The length of the silence, if an event is due now.
  mutating func toSay(at seconds: Double) -> Double? {
    guard let departure = departures.values.min() else { return nil }
    let length = seconds - max(departure, lastAnswer)
    guard length >= limit else { return nil }
    while limit <= length { limit *= 2 }
    return length
  }
}
