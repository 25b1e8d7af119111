// Ferry: offline-first sync for Parse Server. MIT licence.

/// The fate of a request on its way, or of the answer on its way back.
enum Fate: Sendable, Hashable {
  case passes
  /// It never reaches the server, and the device cannot know.
  case isLost
  /// The server carries it out, and the answer never comes.
  case losesItsAnswer
  /// The server carries it out and closes the connection instead of answering.
  case losesItsConnection
  /// The device gives up waiting; it reaches the server when the story says `deliver`.
  case isDelayed
  /// No connection comes about: no byte left.
  case cannotConnect
  /// Something else answers in the server's place, and nothing is carried out.
  case isAnswered(status: Int, body: String?)
  /// The server carries it out, and something else reaches the device.
  case isDoneButAnswered(status: Int, body: String?)
  /// The answer says the same in other words: keys in another order, `1.0` for `1`, files elsewhere.
  case isReworded
  /// The answer comes after that time.
  case takes(Duration)
  /// The answer has no `Date`, or one that much ahead.
  case date(ahead: Duration?)
}
