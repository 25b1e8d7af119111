// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

@testable import FerryTool

/// Keeps the written bytes.
final class MemorySink: ByteSink {
  private let content = Mutex("")
  let failure: Int32? = nil
  let isClosed = false

  func write(_ text: String) { content.withLock { $0 += text } }

  var text: String { content.withLock { $0 } }
}
