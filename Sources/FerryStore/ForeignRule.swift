// Ferry: offline-first sync for Parse Server. MIT licence.

/// A rule that another program added to a table, as far as the database tells it.
package struct ForeignRule: Sendable, Equatable {
  package enum Kind: Sendable {
    case trigger
    /// A CHECK, an index or another constraint.
    case constraint
  }

  package var kind: Kind
  /// The words of the rule itself, such as the message of `RAISE`; nil if it has none.
  package var words: String?

  package init(_ kind: Kind, _ words: String? = nil) {
    self.kind = kind
    self.words = words == "" ? nil : words
  }

  /// The rule as the subject of a clause.
  ///
  /// - Parameter triggers: The triggers of other programs on the table; the database does not say which of several
  ///   acted.
  /// - Returns: For example: the trigger kept ("No game may go").
  package func named(among triggers: [String]) -> String {
    let subject =
      switch (kind, triggers.count) {
      case (.constraint, _): "a rule of its table"
      case (.trigger, 0): "a trigger of another program"
      case (.trigger, 1): "the trigger \(triggers[0])"
      case (.trigger, _): "one of the triggers \(triggers.joined(separator: ", "))"
      }
    guard let words else { return subject }
    return subject + (kind == .trigger ? " (\"\(words)\")" : " (\(words))")
  }
}

extension SyncReader {
  /// The rule of another program that refused a row of a class, as the subject of a clause.
  package func rule(
    of error: StoreError, on className: String
  ) throws(StoreError) -> String {
    let rule = error.rule ?? ForeignRule(.constraint, error.message)
    return rule.named(among: try foreignTriggers(of: className))
  }
}
