// Ferry: offline-first sync for Parse Server. MIT licence.

extension BookkeepingKey where Content == SentAdditions {
  /// How often the store has begun to send additions to numbers, by staging folder.
  static var sentAdditions: Self { Self(name: "sentAdditionsByFolder", initial: SentAdditions()) }
}
