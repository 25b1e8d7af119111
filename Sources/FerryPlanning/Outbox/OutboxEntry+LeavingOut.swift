// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// A program may open the store without a field that an entry names.
extension OutboxEntry {
  /// Whether the entry sends a field, or an attempt sent it.
  package func concerns(_ field: String) -> Bool {
    changed.contains(field)
      || attempts.contains { $0.carried[field] != nil || $0.withheld.contains(field) }
  }

  /// The fields that the entry sends or compares; none of a delete, which compares what its program knows.
  package var comparedFields: Set<String> {
    switch kind {
    case .create, .update: changed.union(base.values.keys)
    case .delete, .deleteAfterCreate: []
    }
  }

  /// Takes out a field that nobody can send or compare without knowing it.
  ///
  /// A delete keeps the value for its conflict record.
  ///
  /// - Parameter field: The field; its edit waits elsewhere.
  /// - Returns: Whether the entry is done.
  package mutating func leaveOut(_ field: String) -> Bool {
    for index in attempts.indices {
      attempts[index].sent.values[field] = nil
      if let elements = attempts[index].elements {
        attempts[index].elements = elements.only(elements.fields.subtracting([field]))
      }
      attempts[index].withheld.remove(field)
    }
    guard kind == .create || kind == .update else { return false }
    base.values[field] = nil
    lastKnown.values[field] = nil
    rewritten.remove(field)
    // The content has changed since the refusal, so it is sent again.
    if changed.remove(field) != nil { retry() }
    return kind == .update && changed.isEmpty && attempts.isEmpty
  }

  /// Puts back what the entry knew of a field, for a program that declares the field again.
  ///
  /// - Parameters:
  ///   - leftOut: The knowledge of it.
  ///   - current: The row's present values; nil if it is gone.
  ///   - isRewritten: Whether the row still has the value that the engine wrote by itself.
  package mutating func giveBack(_ leftOut: LeftOutField, current: Fields?, isRewritten: Bool) {
    let field = leftOut.field
    for attempt in leftOut.attempts.reversed() { giveBack(attempt, of: field) }
    switch kind {
    case .update:
      if base[field] == nil { base[field] = leftOut.base[field] ?? .null }
      if isOpen(field) || (current?[field] ?? .null) != base[field] { changed.insert(field) }
      if isRewritten, changed.contains(field) { rewritten.insert(field) }
      trimBase()
    case .delete:
      if let known = leftOut.base[field] { knew(known, of: field) }
    case .create, .deleteAfterCreate: break
    }
    enterAfterGivingBack()
  }

  /// The attempt may be settled as far as the program without the field could see; the value is not.
  private mutating func giveBack(_ attempt: Attempt, of field: String) {
    let same = attempts.firstIndex { $0.kind == attempt.kind && $0.token == attempt.token }
    if let same {
      attempts[same].sent = attempts[same].sent.merging(attempt.sent)
      attempts[same].elements =
        attempts[same].elements?.merging(attempt.elements) ?? attempt.elements
    } else if createdAt != nil {
      var write = attempt
      write.kind = .update
      attempts.insert(write, at: 0)
    }
  }

  /// The row was deleted with an unsent value of a field, of which the server had another one.
  private mutating func knew(_ value: Value, of field: String) {
    if let held = base[field], held != value { withdrawn[field] = held }
    base.values[field] = value.isNull ? nil : value
  }

  private mutating func enterAfterGivingBack() {
    switch state {
    case .ready, .blocked, .confirming:
      if hasUnresolvedAttempts {
        enter(.inDoubt)
      } else if kind == .update {
        enter(changed.isEmpty ? .confirming : .ready)
      }
    case .sending, .inDoubt, .parked: break
    }
  }
}

extension OutboxEntry {
  /// Completes what a delete knows of the server by the values of the row that it deleted.
  ///
  /// The program that folded the delete may have declared fewer fields. The row had the server's values, except in
  /// the edits that the delete withdrew.
  package mutating func complete(with fields: Fields) {
    guard kind == .delete else { return }
    let unedited = Set(fields.values.keys).subtracting(withdrawn.values.keys)
    base = fields.only(unedited).merging(base)
  }
}
