// Ferry: offline-first sync for Parse Server. MIT licence.

/// The rows of a class in the order of a moment and then of their ids.
///
/// A list of short sorted lists: finding a place takes two binary searches, inserting moves few keys,
/// and counting a range adds up the lengths of whole lists.
struct OrderedIndex: Sendable {
  private var chunks: [[IndexKey]] = []
  private(set) var count = 0
  private static let chunkLimit = 512

  /// A place between two keys.
  struct Position: Comparable {
    var chunk: Int
    var offset: Int

    static func < (first: Position, second: Position) -> Bool {
      (first.chunk, first.offset) < (second.chunk, second.offset)
    }
  }

  mutating func insert(_ key: IndexKey) {
    count += 1
    guard !chunks.isEmpty else {
      chunks.append([key])
      return
    }
    let place = position { $0.precedes(key) }
    if place.chunk == chunks.count {
      append(key)
      return
    }
    chunks[place.chunk].insert(key, at: place.offset)
    if chunks[place.chunk].count > Self.chunkLimit { split(place.chunk) }
  }

  /// Keys that come in order, as new rows do, fill their lists to the end.
  private mutating func append(_ key: IndexKey) {
    let last = chunks.count - 1
    if chunks[last].count >= Self.chunkLimit {
      chunks.append([key])
    } else {
      chunks[last].append(key)
    }
  }

  private mutating func split(_ chunk: Int) {
    let middle = chunks[chunk].count / 2
    let upper = Array(chunks[chunk][middle...])
    chunks[chunk].removeSubrange(middle...)
    chunks.insert(upper, at: chunk + 1)
  }

  mutating func remove(_ key: IndexKey) {
    let place = position { $0.precedes(key) }
    guard place.chunk < chunks.count, chunks[place.chunk][place.offset].objectId == key.objectId
    else { return }
    count -= 1
    chunks[place.chunk].remove(at: place.offset)
    if chunks[place.chunk].isEmpty { chunks.remove(at: place.chunk) }
  }

  /// The first place whose key is not below, given that all keys below come first.
  func position(isBelow: (IndexKey) -> Bool) -> Position {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if let last = chunks[middle].last, isBelow(last) { low = middle + 1 } else { high = middle }
    }
    guard low < chunks.count else { return Position(chunk: low, offset: 0) }
    let chunk = low
    low = 0
    high = chunks[chunk].count
    while low < high {
      let middle = (low + high) / 2
      if isBelow(chunks[chunk][middle]) { low = middle + 1 } else { high = middle }
    }
    return Position(chunk: chunk, offset: low)
  }

  /// How many keys lie between two places.
  func count(from start: Position, to end: Position) -> Int {
    guard start < end else { return 0 }
    if start.chunk == end.chunk { return end.offset - start.offset }
    var total = chunks[start.chunk].count - start.offset + end.offset
    for chunk in (start.chunk + 1)..<end.chunk { total += chunks[chunk].count }
    return total
  }

  /// Visits the ids between two places, in either direction, until the visitor returns false.
  func visit(
    from start: Position, to end: Position, descending: Bool, _ visitor: (String) -> Bool
  ) {
    guard start < end else { return }
    let last = end.offset == 0 ? end.chunk - 1 : end.chunk
    for step in start.chunk...last {
      let chunk = descending ? last - (step - start.chunk) : step
      let lower = chunk == start.chunk ? start.offset : 0
      let upper = chunk == end.chunk ? end.offset : chunks[chunk].count
      for offset in lower..<upper {
        let key = chunks[chunk][descending ? upper - 1 - (offset - lower) : offset]
        guard visitor(key.objectId) else { return }
      }
    }
  }
}
