// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// The bytes of a file that are on the disk for certain, and the changes since.
struct FileContent {
  private enum Change {
    case write([UInt8], at: Int)
    case truncate(to: Int)
  }

  /// The unit in which a write is torn.
  static let sector = 512

  private var durable: [UInt8]
  private var changes: [Change] = []

  init(durable: [UInt8] = []) { self.durable = durable }

  mutating func write(_ bytes: [UInt8], at offset: Int) {
    changes.append(.write(bytes, at: offset))
  }

  mutating func truncate(to size: Int) { changes.append(.truncate(to: size)) }

  /// Forces all changes to the disk.
  mutating func sync() {
    for change in changes { Self.apply(change, to: &durable) { _ in true } }
    changes = []
  }

  /// The bytes after a loss of power; `keeps` decides about a change, or a sector of it.
  func remains(_ loss: PowerLoss, _ generator: inout SeededGenerator, weight: Int) -> [UInt8] {
    var bytes = durable
    switch loss {
    case .losesAll: break
    case .keepsAll: for change in changes { Self.apply(change, to: &bytes) { _ in true } }
    case .mixes:
      for change in changes {
        // Chance loses as many of eight changes as the weight says, and tears one.
        let draw = generator.number(below: 8)
        guard draw >= weight else { continue }
        let isTorn = draw == 7
        Self.apply(change, to: &bytes) { _ in !isTorn || generator.one(in: 2) }
      }
    }
    return bytes
  }

  private static func apply(
    _ change: Change, to bytes: inout [UInt8], _ keepsSector: (Int) -> Bool
  ) {
    switch change {
    case .truncate(let size):
      if size < bytes.count { bytes.removeSubrange(size...) } else { grow(&bytes, to: size) }
    case .write(let written, let offset):
      var place = offset
      while place < offset + written.count {
        let end = min((place / sector + 1) * sector, offset + written.count)
        if keepsSector(place / sector) {
          grow(&bytes, to: end)
          bytes.replaceSubrange(place..<end, with: written[(place - offset)..<(end - offset)])
        }
        place = end
      }
    }
  }

  private static func grow(_ bytes: inout [UInt8], to size: Int) {
    if size > bytes.count {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
  }
}
