// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl

/// Owns a libcurl multi handle: several transfers at once, and the connections they leave open.
///
/// It is `@unchecked Sendable` because the pool lends it to one run at a time, which uses it on one
/// thread. Other threads may call only `wakeUp`, and libcurl allows that.
final class MultiHandle: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer
  private var spare: [EasyHandle] = []

  init(connections: Int) throws(CurlCode) {
    guard CurlLibrary.start == .ok else { throw CurlLibrary.start }
    guard let pointer = curl_multi_init() else { throw .outOfMemory }
    self.pointer = pointer
    ferry_curl_multi_set_number(pointer, CURLMOPT_MAXCONNECTS, connections)
  }

  deinit { curl_multi_cleanup(pointer) }

  /// A handle without options for one transfer.
  func takeEasyHandle() throws(CurlCode) -> EasyHandle {
    if let handle = spare.popLast() { return handle }
    return try EasyHandle()
  }

  /// Takes back a handle that was removed after a transfer without a failure.
  func giveBack(_ handle: EasyHandle) {
    handle.reset()
    spare.append(handle)
  }

  func add(_ handle: EasyHandle) throws(CurlCode) {
    guard curl_multi_add_handle(pointer, handle.pointer) == CURLM_OK else { throw .outOfMemory }
  }

  /// Ends a transfer; closes its connection unless the transfer is complete.
  func remove(_ handle: EasyHandle) {
    curl_multi_remove_handle(pointer, handle.pointer)
  }

  /// Does all work that needs no waiting; false if the library itself failed.
  func perform() -> Bool {
    var running: Int32 = 0
    return curl_multi_perform(pointer, &running) == CURLM_OK
  }

  /// Waits until there is work, the time is over, or another thread wakes it.
  func poll(upTo time: Duration) -> Bool {
    curl_multi_poll(pointer, nil, 0, Int32(clamping: time.milliseconds), nil) == CURLM_OK
  }

  /// Ends the current or the next `poll`, from any thread.
  func wakeUp() {
    curl_multi_wakeup(pointer)
  }

  /// The next transfer that has ended, with its code.
  func nextEnded() -> (EasyHandle.Pointer, CurlCode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(pointer, &left) {
      if message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle {
        return (handle, CurlCode(message.pointee.data.result))
      }
    }
    return nil
  }
}
