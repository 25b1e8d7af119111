// Ferry: offline-first sync for Parse Server. MIT licence.

// The changes that a damage makes to the bytes of a file.
extension [UInt8] {
  private static let pageSize = 4096

  /// Flips one to eight bits, most of them where there is content.
  mutating func flipBits(_ chance: inout Chance) {
    for _ in 1...chance.number(1...8) {
      self[contentPlace(&chance)] ^= 1 << UInt8(chance.number(0...7))
    }
  }

  /// Writes other letters and digits over letters and digits.
  mutating func alterContent(_ chance: inout Chance) {
    let start = contentPlace(&chance)
    for place in start..<Swift.min(start + chance.number(1...24), count)
    where (0x30...0x7A).contains(self[place]) {
      self[place] = UInt8(chance.number(0x30...0x7A))
    }
  }

  /// Writes another letter over the next letter, or another digit over the next digit.
  mutating func alterCharacter(after start: Int, _ chance: inout Chance) {
    let (letters, digits) = (UInt8(0x61)...0x7A, UInt8(0x30)...0x39)
    let places = Swift.min(start, count)..<count
    guard
      let place = places.first(where: { letters.contains(self[$0]) || digits.contains(self[$0]) })
    else { return }
    let kind = digits.contains(self[place]) ? digits : letters
    let others = kind.filter { $0 != self[place] }
    self[place] = others[chance.number(0...(others.count - 1))]
  }

  /// Writes another digit over a digit.
  mutating func alterDigit(_ chance: inout Chance) {
    let digits = indices.filter { (0x30...0x39).contains(self[$0]) }
    guard let place = digits.randomElement(using: &chance) else { return }
    self[place] = UInt8(chance.number(0x30...0x39))
  }

  mutating func cut(_ chance: inout Chance) { removeLast(chance.number(1...count)) }

  /// A place in the file that is not empty space, as a rule.
  private func contentPlace(_ chance: inout Chance) -> Int {
    var place = chance.number(0...(count - 1))
    for _ in 1...20 where self[place] == 0 { place = chance.number(0...(count - 1)) }
    return place
  }

  /// Where a text begins.
  func places(of text: [UInt8]) -> [Int] {
    guard let first = text.first, count >= text.count else { return [] }
    return (0...(count - text.count)).filter {
      self[$0] == first && self[$0..<($0 + text.count)].elementsEqual(text)
    }
  }

  // MARK: Pages

  func page(_ number: Int) -> [UInt8] {
    let start = number * Self.pageSize
    return [UInt8](self[Swift.min(start, count)..<Swift.min(start + Self.pageSize, count)])
  }

  mutating func setPage(_ number: Int, _ content: [UInt8]) {
    let start = number * Self.pageSize
    guard start + content.count <= count else { return }
    replaceSubrange(start..<(start + content.count), with: content)
  }
}

extension Chance {
  /// The number of a page of a database, from 0 on.
  mutating func page(of bytes: [UInt8]) -> Int { number(0...Swift.max(bytes.count / 4096 - 1, 0)) }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
