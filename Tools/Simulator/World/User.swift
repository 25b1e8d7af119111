// Ferry: offline-first sync for Parse Server. MIT licence.

/// A person with an account on the server.
public enum User: String, Hashable, Sendable, CaseIterable {
  case anna, bert
}
