// Ferry: offline-first sync for Parse Server. MIT licence.

/// Something that decides by chance.
package protocol Choosing {
  /// A number from 0 to below the bound.
  mutating func number(below bound: Int) -> Int
}

extension Choosing {
  /// True with a probability of one in `many`.
  package mutating func one(in many: Int) -> Bool { number(below: many) == 0 }

  /// An element; the list has one at least.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// An element, each with its own weight.
  package mutating func pick<Element>(weighted elements: [(Int, Element)]) -> Element {
    var place = number(below: elements.reduce(0) { $0 + $1.0 })
    for (weight, element) in elements {
      place -= weight
      if place < 0 { return element }
    }
    return elements[elements.count - 1].1
  }
}
