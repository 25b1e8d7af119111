// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct BroadcastTests {
  /// Unites numbers, and lets another signal come in the middle of the first union.
  private final class Interruption: Sendable {
    let interrupt = Mutex<(@Sendable () -> Void)?>(nil)
    let group = DispatchGroup()

    func unite(_ earlier: Set<Int>, _ later: Set<Int>) -> Set<Int> {
      let interrupt = interrupt.withLock { interrupt in
        defer { interrupt = nil }
        return interrupt
      }
      if let interrupt {
        group.enter()
        Thread.detachNewThread { [group] in
          interrupt()
          group.leave()
        }
        // The other signal waits for this one, or comes at once.
        _ = group.wait(timeout: .now() + 0.2)
      }
      return earlier.union(later)
    }
  }

  @Test func `a signal that comes while two become one is part of the union`() async {
    let interruption = Interruption()
    let broadcast = Broadcast<Set<Int>> { interruption.unite($0, $1) }
    let stream = broadcast.stream()
    interruption.interrupt.withLock { $0 = { broadcast.send([3]) } }
    for number in 1...2 { broadcast.send([number]) }
    await withCheckedContinuation { continuation in
      interruption.group.notify(queue: .global()) { continuation.resume() }
    }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == [1, 2, 3])
  }
}
