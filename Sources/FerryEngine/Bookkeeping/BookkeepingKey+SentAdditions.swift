// Ferry: offline-first sync for Parse Server. MIT licence.

extension BookkeepingKey where Content == SentAdditions {
  /// How often the store has begun to send additions to numbers.
  static var sentAdditions: Self { Self(name: "sentAdditions", initial: SentAdditions()) }
}
