// Ferry: offline-first sync for Parse Server. MIT licence.

import CCurl

/// Owns a libcurl easy handle: the options and the state of one transfer.
///
/// The connection belongs to the multi handle, so a handle may be reset and used again.
final class EasyHandle {
  typealias Pointer = UnsafeMutableRawPointer

  let pointer: Pointer
  /// The buffer for libcurl's own message about a failure.
  private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init() throws(CurlCode) {
    guard CurlLibrary.start == .ok else { throw CurlLibrary.start }
    guard let pointer = curl_easy_init() else { throw .outOfMemory }
    self.pointer = pointer
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(pointer)
    words.deallocate()
  }

  /// Clears all options, and all pointers given with them.
  func reset() {
    curl_easy_reset(pointer)
    words.pointee = 0
  }

  /// libcurl's own message about the last failure.
  var failureWords: String { String(cString: words) }

  func keepFailureWords() throws(CurlCode) {
    try check(ferry_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, words))
  }

  func set(_ option: CURLoption, _ value: Int) throws(CurlCode) {
    try check(ferry_curl_set_number(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) throws(CurlCode) {
    try set(option, value ? 1 : 0)
  }

  func set(_ option: CURLoption, offset: Int) throws(CurlCode) {
    try check(ferry_curl_set_offset(pointer, option, curl_off_t(offset)))
  }

  func set(_ option: CURLoption, _ value: String) throws(CurlCode) {
    try check(ferry_curl_set_text(pointer, option, value))
  }

  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(CurlCode) {
    try check(ferry_curl_set_pointer(pointer, option, value))
  }

  func set(_ option: CURLoption, stream: curl_write_callback?) throws(CurlCode) {
    try check(ferry_curl_set_stream(pointer, option, stream))
  }

  func set(seek: curl_seek_callback?) throws(CurlCode) {
    try check(ferry_curl_set_seek(pointer, seek))
  }

  func set(beforeSending: curl_prereq_callback?) throws(CurlCode) {
    try check(ferry_curl_set_before_sending(pointer, beforeSending))
  }

  /// A number that libcurl knows about the transfer; 0 if it knows none.
  func number(_ info: CURLINFO) -> Int {
    var value = 0
    return ferry_curl_get_number(pointer, info, &value) == CURLE_OK ? value : 0
  }

  /// A size or time that libcurl knows about the transfer; 0 if it knows none.
  func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    return ferry_curl_get_offset(pointer, info, &value) == CURLE_OK ? Int(value) : 0
  }

  private func check(_ code: CURLcode) throws(CurlCode) {
    guard code == CURLE_OK else { throw CurlCode(code) }
  }
}
