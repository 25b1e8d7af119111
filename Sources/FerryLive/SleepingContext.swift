// Ferry: offline-first sync for Parse Server. MIT licence.

import CWebSockets

/// A context of the library that waits for events.
///
/// Not checked by the compiler: other threads can only wake it up, which the library allows at any time.
struct SleepingContext: @unchecked Sendable {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  func wakeUp() { lws_cancel_service(pointer) }
}
