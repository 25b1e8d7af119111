// Ferry: offline-first sync for Parse Server. MIT licence.

/// Takes the body of an answer while it arrives, so that a large one needs no memory.
///
/// A transport calls it on the thread of the run, and for one answer at a time.
///
/// ```swift
/// final class Teller: HTTPBodyReceiver {
///   func takesBody(status: Int, headers: HTTPHeaders) -> Bool { status == 200 }
///   func take(_ part: UnsafeRawBufferPointer) -> Bool {
///     print(part.count, "bytes")
///     return true
///   }
/// }
/// ```
public protocol HTTPBodyReceiver: AnyObject, Sendable {
  /// Whether this receiver takes the body of an answer, whose first bytes have come.
  ///
  /// A body that it does not take becomes part of the response, as without a receiver. It is called anew if the request is
  /// repeated; the former body then counts no more.
  ///
  /// - Parameters:
  ///   - status: The status of the answer.
  ///   - headers: Its header fields.
  /// - Returns: Whether the receiver takes the body.
  func takesBody(status: Int, headers: HTTPHeaders) -> Bool

  /// Takes the next bytes of a body.
  ///
  /// - Parameter part: The bytes, which are valid during this call.
  /// - Returns: Whether more may come; false ends the exchange with an error.
  func take(_ part: UnsafeRawBufferPointer) -> Bool
}
