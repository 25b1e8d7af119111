// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Tells when files of a folder are written to, as the system reports it.
///
/// The folder is watched, because a file may be made anew.
final class FileWatch: @unchecked Sendable {
  // Dispatch lets any thread cancel a source.
  private let source: any DispatchSourceProtocol

  /// - Parameters:
  ///   - folder: A folder that is there.
  ///   - names: The names of the files.
  ///   - queue: Where `written` is called, one call after another.
  ///   - written: Called after one or several writes.
  init?(
    _ folder: String, names: Set<String>, on queue: DispatchQueue,
    _ written: @escaping @Sendable () -> Void
  ) {
    #if canImport(Glibc)
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY)) >= 0 else {
        close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { if Self.takeEvents(from: descriptor, of: names) { written() } }
    #else
      // This system reports no writes in a folder, so the log is watched. Closing the database itself would release
      // the locks that SQLite has on it.
      let descriptor = open(folder + "/" + (names.max() ?? ""), O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
      source.setEventHandler(handler: written)
    #endif
    source.setCancelHandler { close(descriptor) }
    source.activate()
    self.source = source
  }

  #if canImport(Glibc)
    /// Takes all events that wait.
    ///
    /// - Returns: Whether one of them is of a file with one of the names. Events that the system dropped may have been.
    private static func takeEvents(from descriptor: Int32, of names: Set<String>) -> Bool {
      var isWritten = false
      let size = MemoryLayout<inotify_event>.size
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
          var start = 0
          while start + size <= count {
            let event = buffer.load(fromByteOffset: start, as: inotify_event.self)
            let name = buffer[(start + size)..<(start + size + Int(event.len))].prefix { $0 != 0 }
            let isDropped = event.mask & UInt32(IN_Q_OVERFLOW) != 0
            if isDropped || names.contains(String(decoding: name, as: UTF8.self)) {
              isWritten = true
            }
            start += size + Int(event.len)
          }
        }
      }
      return isWritten
    }
  #endif

  deinit { source.cancel() }
}
