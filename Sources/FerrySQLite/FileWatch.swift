// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Tells when files are written to, as the system reports it.
final class FileWatch: @unchecked Sendable {
  // Dispatch lets any thread cancel a source.
  private let sources: [any DispatchSourceProtocol]

  #if canImport(Glibc)
    /// - Parameters:
    ///   - paths: Files that are there.
    ///   - queue: Where `written` is called, one call after another.
    ///   - written: Called after one or several writes.
    init?(_ paths: [String], on queue: DispatchQueue, _ written: @escaping @Sendable () -> Void) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      for path in paths { inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        // What the events say does not matter.
        var events = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &events, events.count) > 0 {}
        written()
      }
      source.setCancelHandler { close(descriptor) }
      source.activate()
      sources = [source]
    }
  #else
    /// - Parameters:
    ///   - paths: Files that are there.
    ///   - queue: Where `written` is called, one call after another.
    ///   - written: Called after one or several writes.
    init?(_ paths: [String], on queue: DispatchQueue, _ written: @escaping @Sendable () -> Void) {
      sources = paths.compactMap { path in
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .extend], queue: queue)
        source.setEventHandler(handler: written)
        source.setCancelHandler { close(descriptor) }
        source.activate()
        return source
      }
      if sources.isEmpty { return nil }
    }
  #endif

  deinit { for source in sources { source.cancel() } }
}
