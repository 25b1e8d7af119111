// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation
import Synchronization

/// Gives the content of a new file to a request, and proves it on the way.
///
/// The last bytes leave only if the sum of all is that of the value in the field. So a content that something has damaged
/// never becomes a file of the server.
final class FileBodySource: HTTPBodySource {
  private struct State {
    var descriptor: Int32 = -1
    var sum = SHA256()
    var done = 0
    var told = 0
    var isDamaged = false
  }

  private static let tellEvery = 1 << 18

  let byteCount: Int
  private let file: UnsentFile
  private let url: URL
  private let progress: @Sendable (FileUploadProgress) -> Void
  private let state = Mutex(State())

  init(
    _ file: UnsentFile, at url: URL, progress: @escaping @Sendable (FileUploadProgress) -> Void
  ) {
    self.file = file
    self.url = url
    self.progress = progress
    byteCount = file.bytes
  }

  /// Whether the content could not be read as it was kept.
  var isDamaged: Bool { state.withLock(\.isDamaged) }

  func begin() -> Bool {
    state.withLock { state in
      if state.descriptor >= 0 { close(state.descriptor) }
      state = State()
      state.descriptor = open(url.systemPath, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      state.isDamaged = state.descriptor < 0
      return !state.isDamaged
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let (count, done) = state.withLock { state -> (Int?, Int?) in
      var count = -1
      repeat {
        count = Foundation.read(state.descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      guard count > 0 else {
        state.isDamaged = true
        return (nil, nil)
      }
      state.sum.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
      state.done += count
      let isEnd = state.done >= byteCount
      if isEnd, state.sum.text != file.sha256 {
        state.isDamaged = true
        return (nil, nil)
      }
      guard isEnd || state.done - state.told >= Self.tellEvery else { return (count, nil) }
      state.told = state.done
      return (count, state.done)
    }
    if let done { progress(FileUploadProgress(name: file.name, done: done, total: byteCount)) }
    return count
  }

  deinit {
    let descriptor = state.withLock(\.descriptor)
    if descriptor >= 0 { close(descriptor) }
  }
}
