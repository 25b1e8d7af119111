// Ferry: offline-first sync for Parse Server. MIT licence.

/// The elements of an array on the tape.
package struct JSONArray: Sequence {
  let element: JSONElement

  package struct Iterator: IteratorProtocol {
    var position: JSONElement
    let end: Int

    package mutating func next() -> JSONElement? {
      guard position.index < end else { return nil }
      defer { position = position.at(position.following) }
      return position
    }
  }

  package func makeIterator() -> Iterator {
    Iterator(position: element.at(element.index + 1), end: element.following - 1)
  }

  /// A hint that is exact up to sixteen million elements.
  package var underestimatedCount: Int {
    Int((element.tape[element.index] >> 32) & 0xFF_FFFF)
  }
}
