// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// An entry's knowledge of a field beside its edit, kept while programs work that leave the field out.
///
/// Such a program cannot compare the values. A program that declares the field needs them. Without what attempts
/// sent, it would take this device's own value on the server for another client's. Without the pointer that the engine
/// rewrote, it would take that for an edit of the app.
package struct LeftOutField: Sendable, Equatable {
  package let className: String
  package let localID: LocalID
  /// The record's object id at that time.
  package let objectID: String
  package let field: String
  /// The attempts that sent the field, each with its value alone.
  package private(set) var attempts: [Attempt]
  /// The server's value of the field as far as known; empty where the entry keeps it itself.
  package private(set) var base: Fields
  /// The value that the engine wrote by itself; nil for an edit of the app.
  package let rewritten: Rewritten?

  /// A value that the engine wrote by itself, and where the log ended then: a later row of the field is an edit.
  package struct Rewritten: Sendable, Equatable {
    /// The column's content, as an SQL literal.
    package let content: String
    package let end: HistoryToken

    package init(content: String, end: HistoryToken) { (self.content, self.end) = (content, end) }
  }

  /// Nil if no attempt sent the field, and the engine did not rewrite it.
  ///
  /// - Parameters:
  ///   - field: The field that the schema leaves out.
  ///   - entry: The entry that still has it.
  ///   - rewritten: The field's value, if the engine wrote it by itself.
  package init?(of field: String, in entry: OutboxEntry, _ rewritten: Rewritten?) {
    self.rewritten = rewritten
    attempts = entry.attempts.compactMap { attempt in
      guard let value = attempt.sent[field] else { return nil }
      var alone = attempt
      alone.sent = [field: value]
      alone.elements = attempt.elements?.only([field])
      alone.withheld = []
      return alone
    }
    guard !attempts.isEmpty || rewritten != nil else { return nil }
    className = entry.className
    localID = entry.localID
    objectID = entry.objectID
    self.field = field
    base = entry.kind == .update ? [field: entry.base[field] ?? .null] : Fields()
  }

  /// The same with pointers replaced in all values.
  package func replacingPointers(_ newObjectID: (Pointer) -> String?) -> LeftOutField {
    var replaced = self
    replaced.base = base.replacingPointers(newObjectID)
    replaced.attempts = attempts.replacingPointers(newObjectID)
    return replaced
  }

  /// The ids in the values that the server may have replaced since.
  package var mintedPointerIDs: Set<String> {
    attempts.reduce(into: base.mintedPointerIDs) { $0.formUnion($1.sent.mintedPointerIDs) }
  }
}

extension LeftOutField: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var (className, objectID, field) = (String?.none, String?.none, String?.none)
    var localID: LocalID?
    var attempts: [Attempt]?
    var base: Fields?
    var (content, end) = (String?.none, Int64?.none)
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "attempts": attempts = try json.notes(Attempt.self)
      case "base": base = try json.fields()
      case "className": className = try json.text()
      case "field": field = try json.text()
      case "localID": localID = LocalID(rawValue: try json.integer())
      case "objectID": objectID = try json.text()
      case "rewritten": content = try json.text()
      case "rewrittenEnd": end = try json.integer()
      default: try json.skip()
      }
    }
    guard let className, let localID, let objectID, let field, let attempts, let base else {
      throw JSONText.Malformed()
    }
    self.className = className
    self.localID = localID
    self.objectID = objectID
    self.field = field
    self.attempts = attempts
    self.base = base
    rewritten = content.flatMap { content in
      end.map { Rewritten(content: content, end: HistoryToken(rawValue: $0)) }
    }
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      json.member("attempts", attempts)
      json.member("base", base)
      json.member("className", className)
      json.member("field", field)
      json.member("localID", localID.rawValue)
      json.member("objectID", objectID)
      if let rewritten {
        json.member("rewritten", rewritten.content)
        json.member("rewrittenEnd", rewritten.end.rawValue)
      }
    }
  }
}
