// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Reads the lines that another process writes, each with a deadline.
struct LineReader: Sendable {
  private let handle: FileHandle
  /// Bytes that were read but not returned yet.
  private var rest: [UInt8] = []

  init(_ handle: FileHandle) { self.handle = handle }

  /// The next whole line; nil at the end, or after the deadline.
  mutating func next(until deadline: Date) -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      var waiting = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let left = deadline.timeIntervalSinceNow
      guard left > 0, poll(&waiting, 1, Int32(left * 1000) + 1) > 0 else { return nil }
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(handle.fileDescriptor, &chunk, chunk.count)
      guard count > 0 else { return nil }
      rest += chunk[..<count]
    }
  }
}
