// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import Foundation

/// SIGINT and SIGTERM as something to wait for, so that the tool ends in order.
struct StopSignal {
  private let semaphore = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    let semaphore = semaphore
    sources = [SIGINT, SIGTERM].map { number in
      // The default would end the process before the source hears of it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { semaphore.signal() }
      source.resume()
      return source
    }
  }

  func wait() { semaphore.wait() }
}
