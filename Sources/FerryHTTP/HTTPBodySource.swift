// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// Gives the body of a request while it is sent, so that a large one needs no memory.
///
/// A transport calls it on the thread of the run, and for one request at a time. `begin()` comes before the first byte, and
/// anew if the request is repeated.
///
/// ```swift
/// final class Zeros: HTTPBodySource {
///   let byteCount = 4096
///   func begin() -> Bool { true }
///   func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
///     buffer.initializeMemory(as: UInt8.self, repeating: 0)
///     return buffer.count
///   }
/// }
/// ```
public protocol HTTPBodySource: AnyObject, Sendable {
  /// The number of bytes of the body, which the request announces.
  var byteCount: Int { get }

  /// Goes to the first byte.
  ///
  /// - Returns: Whether the body can be given; false ends the exchange before it begins.
  func begin() -> Bool

  /// Gives the next bytes.
  ///
  /// - Parameter buffer: The room for them; at most the bytes that are left of `byteCount`.
  /// - Returns: How many bytes it wrote, at least one; nil if it cannot, which ends the exchange with an error.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int?
}

extension HTTPBodySource {
  /// The whole body, for a transport that holds it in memory; nil if the source cannot give it.
  public func wholeBody() -> Data? {
    guard begin() else { return nil }
    var body = Data(count: byteCount)
    var done = 0
    while done < body.count {
      let read = body.withUnsafeMutableBytes { bytes in
        self.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[done...]))
      }
      guard let read, read > 0 else { return nil }
      done += read
    }
    return body
  }
}
