// Ferry: offline-first sync for Parse Server. MIT licence.

/// The members of an object on the tape, in the order of the text.
package struct JSONObject: Sequence {
  let element: JSONElement

  package struct Member {
    /// The key's bytes, unescaped.
    package let key: UnsafeBufferPointer<UInt8>
    package let value: JSONElement

    package var name: String { String(decoding: key, as: UTF8.self) }
  }

  package struct Iterator: IteratorProtocol {
    var position: JSONElement
    let end: Int

    package mutating func next() -> Member? {
      guard position.index < end else { return nil }
      let value = position.at(position.index + 1)
      let member = Member(key: position.stringBytes, value: value)
      position = position.at(value.following)
      return member
    }
  }

  package func makeIterator() -> Iterator {
    Iterator(position: element.at(element.index + 1), end: element.following - 1)
  }
}
