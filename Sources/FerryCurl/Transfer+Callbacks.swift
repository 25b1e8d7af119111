// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl

extension Transfer {
  /// Sets the functions that libcurl calls, each with a pointer to this transfer.
  func connectCallbacks() throws(CurlCode) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    try handle.set(CURLOPT_HEADERFUNCTION, stream: onHeaderLine)
    try handle.set(CURLOPT_HEADERDATA, pointer: this)
    try handle.set(CURLOPT_WRITEFUNCTION, stream: onBody)
    try handle.set(CURLOPT_WRITEDATA, pointer: this)
    try handle.set(CURLOPT_READFUNCTION, stream: onBodyWanted)
    try handle.set(CURLOPT_READDATA, pointer: this)
    try handle.set(seek: onSeek)
    try handle.set(CURLOPT_SEEKDATA, pointer: this)
    try handle.set(beforeSending: onSending)
    try handle.set(CURLOPT_PREREQDATA, pointer: this)
  }
}

/// The transfer of the pointer that libcurl hands back.
private func transfer(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
  pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func onHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ this: UnsafeMutableRawPointer?
) -> Int {
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return transfer(this)?.takeHeaderLine(line) == true ? line.count : 0
}

private func onBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ this: UnsafeMutableRawPointer?
) -> Int {
  let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // A result that differs from the number of bytes ends the transfer, even for zero bytes.
  return transfer(this)?.takeBody(part) == true ? part.count : part.count + 1
}

private func onBodyWanted(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ this: UnsafeMutableRawPointer?
) -> Int {
  let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
  return transfer(this)?.readBody(into: buffer) ?? Int(CURL_READFUNC_ABORT)
}

private func onSeek(_ this: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32)
  -> Int32
{
  guard origin == SEEK_SET, let transfer = transfer(this) else { return CURL_SEEKFUNC_FAIL }
  return transfer.seekBody(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func onSending(
  _ this: UnsafeMutableRawPointer?, _ serverAddress: UnsafeMutablePointer<CChar>?,
  _ localAddress: UnsafeMutablePointer<CChar>?, _ serverPort: Int32, _ localPort: Int32
) -> Int32 {
  transfer(this)?.beginSending() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
