// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The values that attempts sent of a field, kept while programs work that leave the field out.
///
/// Such a program cannot compare the values. A program that declares the field needs them: without
/// them it would take this device's own value on the server for another client's.
package struct AttemptsLeftOut: Sendable, Equatable, Codable {
  package let className: String
  package let localID: LocalID
  /// The record's object id at that time.
  package let objectID: String
  package let field: String
  /// The attempts that sent the field, each with its value alone.
  package private(set) var attempts: [Attempt]
  /// The server's value of the field as far as known; empty where the entry keeps it itself.
  package private(set) var base: Fields

  /// Nil if no attempt sent the field.
  ///
  /// - Parameters:
  ///   - field: The field that the schema leaves out.
  ///   - entry: The entry that still has it.
  package init?(of field: String, in entry: OutboxEntry) {
    attempts = entry.attempts.compactMap { attempt in
      guard let value = attempt.sent[field] else { return nil }
      var alone = attempt
      alone.sent = [field: value]
      alone.withheld = []
      return alone
    }
    guard !attempts.isEmpty else { return nil }
    className = entry.className
    localID = entry.localID
    objectID = entry.objectID
    self.field = field
    base = entry.kind == .update ? [field: entry.base[field] ?? .null] : Fields()
  }

  /// The same with pointers replaced in all values.
  package func replacingPointers(_ newObjectID: (Pointer) -> String?) -> AttemptsLeftOut {
    var replaced = self
    replaced.base = base.replacingPointers(newObjectID)
    for index in attempts.indices {
      replaced.attempts[index].sent = attempts[index].sent.replacingPointers(newObjectID)
    }
    return replaced
  }

  /// The ids in the values that the server may have replaced since.
  package var mintedPointerIDs: Set<String> {
    attempts.reduce(into: base.mintedPointerIDs) { $0.formUnion($1.sent.mintedPointerIDs) }
  }
}
