// Ferry: offline-first sync for Parse Server. MIT licence.

/// Writes bytes to a file that is open: the number of bytes that were written, or -1 with `errno`.
package typealias FileWrite =
  @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
