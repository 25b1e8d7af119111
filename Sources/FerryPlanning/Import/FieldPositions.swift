// Ferry: offline-first sync for Parse Server. MIT licence.

/// The positions of some fields of an entity, in ascending order.
///
/// An import makes one for each row that it compares. So those of the first 64 fields are bits of one word, which needs
/// no memory of its own.
package struct FieldPositions: Sendable, Hashable {
  private var first: UInt64 = 0
  private var others: [Int] = []

  package init() {}

  package init(_ positions: some Sequence<Int>) {
    for position in positions { insert(position) }
  }

  package var isEmpty: Bool { first == 0 && others.isEmpty }

  package mutating func insert(_ position: Int) {
    if position < UInt64.bitWidth {
      first |= 1 << UInt64(position)
    } else if let next = others.firstIndex(where: { $0 >= position }) {
      if others[next] != position { others.insert(position, at: next) }
    } else {
      others.append(position)
    }
  }
}

extension FieldPositions: Sequence {
  package struct Iterator: IteratorProtocol {
    fileprivate var first: UInt64
    fileprivate var others: ArraySlice<Int>

    package mutating func next() -> Int? {
      guard first != 0 else { return others.popFirst() }
      let position = first.trailingZeroBitCount
      first &= first - 1
      return position
    }
  }

  package func makeIterator() -> Iterator { Iterator(first: first, others: others[...]) }
}
