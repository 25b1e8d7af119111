// Ferry: offline-first sync for Parse Server. MIT licence.

/// How the edits of both sides to one field become one value, so that neither is lost.
///
/// Without a merge, the class's `ConflictPolicy` chooses one of the two values. A merge needs no choice, or
/// leaves the policy only what collides. Both work with the value that both sides had before, never with clocks.
///
/// ```swift
/// let schema = Schema {
///   Entity("Note") {
///     Field("likes", .integer, merge: .increment)
///     Field("text", .text, merge: .lines)
///     Field("tags", .array, merge: .set)
///   }
/// }
/// ```
///
/// A merge changes nothing in the table, and may be declared or left out at any time. The article “Merging
/// the edits of both sides” shows each of them.
public enum FieldMerge: String, Sendable, Hashable, CaseIterable {
  /// A number whose edits are additions: where two sides add 1 each, the result is 2 more.
  ///
  /// The difference between the values before and after an edit counts, and a missing value counts as 0. The server
  /// adds it to the value that it has, so that edits of other clients stay, too. A side that clears the field makes an
  /// ordinary edit.
  case increment
  /// An array of which each element is there once: additions and removals of both sides stay.
  ///
  /// The order is the server's, with the elements added here behind. A side that clears the field removes all
  /// elements that it knew.
  case set
  /// A text of which each side may change other lines.
  ///
  /// Lines end with a line feed. Where both sides changed the same lines, or lines beside each other, the class's
  /// policy decides about the whole text, and the other text becomes a conflict record. So it does where a side
  /// clears the field, and for texts in which more than about 2,000 lines differ.
  case lines
}

extension FieldMerge {
  /// Whether a field of a type can have the merge.
  package func suits(_ type: FieldType) -> Bool {
    switch (self, type) {
    case (.increment, .integer), (.increment, .number), (.set, .array), (.lines, .text): true
    case (.increment, _), (.set, _), (.lines, _): false
    }
  }

  /// The type that a field with the merge must have, in words.
  var neededType: String {
    switch self {
    case .increment: "a number"
    case .set: "an array"
    case .lines: "text"
    }
  }
}

extension Entity {
  /// The names of the fields whose edits are additions.
  package var counters: Set<String> {
    Set(fields.lazy.filter { $0.merge == .increment }.map(\.name))
  }
}
