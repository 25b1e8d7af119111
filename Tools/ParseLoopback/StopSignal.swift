// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import Foundation

/// Waits for SIGINT and SIGTERM, so that the tool can save its state before it ends.
struct StopSignal {
  private let semaphore = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    let semaphore = semaphore
    sources = [SIGINT, SIGTERM].map { number in
      // The default action would end the process before the source receives the signal.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { semaphore.signal() }
      source.resume()
      return source
    }
  }

  func wait() { semaphore.wait() }
}
