// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The elements that an update added to arrays that count as sets, and those that it removed.
///
/// Such a request may come late, or arrive although its answer got lost. The server's array then shows its elements, and
/// perhaps those of other clients, so the array as a whole proves nothing.
package struct SentElements: Sendable, Equatable {
  /// Arrays of the added elements, by field.
  package var added: Fields
  /// Arrays of the removed elements, by field.
  package var removed: Fields

  package init(added: Fields = Fields(), removed: Fields = Fields()) {
    self.added = added
    self.removed = removed
  }

  package var fields: Set<String> { Set(added.values.keys).union(removed.values.keys) }

  func replacingPointers(_ newObjectID: (Pointer) -> String?) -> SentElements {
    SentElements(
      added: added.replacingPointers(newObjectID), removed: removed.replacingPointers(newObjectID))
  }

  func merging(_ other: SentElements?) -> SentElements {
    SentElements(
      added: added.merging(other?.added ?? Fields()),
      removed: removed.merging(other?.removed ?? Fields()))
  }

  func only(_ names: Set<String>) -> SentElements? {
    let rest = SentElements(added: added.only(names), removed: removed.only(names))
    return rest.fields.isEmpty ? nil : rest
  }

  /// The array that the server had before other clients' edits, if it shows elements of the request.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - base: The array without the request.
  ///   - remote: The server's present array.
  /// - Returns: The base with those elements that arrived, and without those that are gone; nil where that is the base.
  func base(of field: String, from base: Value, shownBy remote: Value) -> Value? {
    guard let before = base.elements, let shown = remote.elements else { return nil }
    let present = CountedValues(shown)
    var known = CountedValues(before)
    let gone = CountedValues(
      (removed[field]?.elements ?? []).filter { known.contains($0) && !present.contains($0) })
    var arrived: [Value] = []
    for element in added[field]?.elements ?? []
    where present.contains(element) && !known.contains(element) {
      known.insert(element)
      arrived.append(element)
    }
    let after = before.filter { !gone.contains($0) } + arrived
    return arrived.isEmpty && after.count == before.count ? nil : .array(after)
  }
}

extension OutboxEntry {
  /// Takes elements for what the server has that attempts sent and that it shows.
  ///
  /// Otherwise elements that the app has taken back since would count as those of another client, and come back.
  ///
  /// - Parameters:
  ///   - attempts: The attempts, oldest first.
  ///   - remote: The server's values.
  mutating func noteElements(of attempts: [Attempt], shownBy remote: Fields) {
    guard kind == .update || kind == .delete else { return }
    for attempt in attempts {
      guard let elements = attempt.elements else { continue }
      for field in elements.fields {
        guard
          let shown = elements.base(
            of: field, from: base[field] ?? .null, shownBy: remote[field] ?? .null)
        else { continue }
        base[field] = shown
        if kind == .update { changed.insert(field) }
      }
    }
  }
}

extension OutboxEntry {
  /// The base of a field with the elements that attempts brought to the server, and the values that other attempts sent.
  ///
  /// The array of an attempt that only adds or removes elements says nothing of the array after it: imports may have
  /// brought others since.
  func knownArray(of field: String, shownBy remote: Value) -> (base: Value, sent: [Value]) {
    var (base, sent) = (base[field] ?? .null, [Value]())
    for attempt in attempts {
      if let elements = attempt.elements, elements.fields.contains(field) {
        base = elements.base(of: field, from: base, shownBy: remote) ?? base
      } else if let value = attempt.sent[field] {
        sent.append(value)
      }
    }
    return (base, sent)
  }

  /// Takes elements for known, and forgets what attempts sent that can no longer arrive.
  mutating func settleElements(at indices: [Int], shownBy remote: Fields) {
    noteElements(of: indices.map { attempts[$0] }, shownBy: remote)
    for index in indices {
      guard let fields = attempts[index].elements?.fields else { continue }
      attempts[index].elements = nil
      for field in fields { attempts[index].sent.values[field] = nil }
    }
  }
}

extension SentElements: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var elements = SentElements()
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "added": elements.added = try json.fields()
      case "removed": elements.removed = try json.fields()
      default: try json.skip()
      }
    }
    self = elements
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      json.member("added", added)
      json.member("removed", removed)
    }
  }
}
