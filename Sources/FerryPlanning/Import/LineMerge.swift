// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Merges texts of which each side may have changed other lines.
///
/// A line that both sides still have from before divides the texts into parts. Of a part that one side changed, that
/// side's lines stay.
struct LineMerge {
  private let base: [Line]
  private let local: [Line]
  private let remote: [Line]

  /// A line, compared byte by byte as the server compares texts.
  typealias Line = ArraySlice<UInt8>

  /// Nil if a side has no text.
  init?(base: Value, local: Value, remote: Value) {
    guard case .string(let base) = base, case .string(let local) = local,
      case .string(let remote) = remote
    else { return nil }
    self.base = Self.lines(of: base)
    self.local = Self.lines(of: local)
    self.remote = Self.lines(of: remote)
  }

  /// The lines of a text.
  static func lines(of text: String) -> [Line] {
    Array(text.utf8)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// The text with the changes of both sides; nil where both changed the same lines.
  var merged: Value? {
    guard let here = CommonLines(base, local), let there = CommonLines(base, remote) else {
      return nil
    }
    var result: [Line] = []
    var (start, localStart, remoteStart) = (0, 0, 0)
    for line in base.indices {
      guard let localLine = here.places[line], let remoteLine = there.places[line] else { continue }
      guard
        let part = Self.choose(
          base[start..<line], local[localStart..<localLine], remote[remoteStart..<remoteLine])
      else { return nil }
      result += part
      result.append(base[line])
      (start, localStart, remoteStart) = (line + 1, localLine + 1, remoteLine + 1)
    }
    guard let rest = Self.choose(base[start...], local[localStart...], remote[remoteStart...])
    else { return nil }
    result += rest
    return .string(
      String(decoding: Array(result.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self))
  }

  /// The lines of the side that changed a part; nil if both changed it to different lines.
  private static func choose(
    _ base: ArraySlice<Line>, _ local: ArraySlice<Line>, _ remote: ArraySlice<Line>
  ) -> ArraySlice<Line>? {
    if local.elementsEqual(base) { return remote }
    return remote.elementsEqual(base) || remote.elementsEqual(local) ? local : nil
  }
}

/// The lines that a changed text still has of another one: the longest common subsequence.
private struct CommonLines {
  /// The products of the numbers of differing lines up to which both are compared: each pair takes four bytes.
  private static let limit = 4_000_000

  /// For each line of the former text, its place in the changed one; nil where it is gone.
  private(set) var places: [Int?]

  /// Nil if more lines differ than can be compared.
  init?(_ former: [LineMerge.Line], _ changed: [LineMerge.Line]) {
    places = Array(repeating: nil, count: former.count)
    let shorter = min(former.count, changed.count)
    let head = zip(former, changed).prefix { $0 == $1 }.count
    let tail = zip(former.reversed(), changed.reversed()).prefix(shorter - head)
      .prefix { $0 == $1 }.count
    for line in 0..<head { places[line] = line }
    for line in 0..<tail { places[former.count - 1 - line] = changed.count - 1 - line }
    let old = former[head..<(former.count - tail)]
    let new = changed[head..<(changed.count - tail)]
    guard (old.count + 1) * (new.count + 1) <= Self.limit else { return nil }
    match(Array(old), Array(new), from: head)
    raiseInsertions(former, changed)
    raiseRemovals(former, changed)
  }

  /// Moves added lines up past equal ones, so that the same addition lies at the same place in each text.
  ///
  /// Behind a blank line, it makes no difference to a reader whether "X, blank" was added behind it, or "blank, X" before it.
  private mutating func raiseInsertions(_ former: [LineMerge.Line], _ changed: [LineMerge.Line]) {
    for line in former.indices.reversed() {
      guard let place = places[line] else { continue }
      // The added lines between this line and the next one that both texts have.
      let behind = former.indices.contains(line + 1) ? places[line + 1] : changed.count
      guard let end = behind, end - place > 1, changed[place] == changed[end - 1] else { continue }
      places[line] = end - 1
    }
  }

  /// Moves removed lines up past equal ones.
  private mutating func raiseRemovals(_ former: [LineMerge.Line], _ changed: [LineMerge.Line]) {
    for first in former.indices.reversed() where first > 0 && places[first] == nil {
      guard let place = places[first - 1],
        let last = former.indices[first...].prefix(while: { places[$0] == nil }).last,
        place + 1 == (last + 1 < former.count ? places[last + 1] : changed.count)
      else { continue }
      var (above, end) = (first - 1, last)
      while above >= 0, let place = places[above], former[above] == former[end] {
        (places[end], places[above]) = (place, nil)
        (above, end) = (above - 1, end - 1)
      }
    }
  }

  /// Matches lines between equal ones at both ends.
  private mutating func match(_ old: [LineMerge.Line], _ new: [LineMerge.Line], from head: Int) {
    let width = new.count + 1
    // The length of the longest common subsequence of what begins at a pair of lines.
    var lengths = [Int32](repeating: 0, count: (old.count + 1) * width)
    for i in old.indices.reversed() {
      for j in new.indices.reversed() {
        lengths[i * width + j] =
          old[i] == new[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      if old[i] == new[j] {
        places[head + i] = head + j
        (i, j) = (i + 1, j + 1)
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
  }
}
