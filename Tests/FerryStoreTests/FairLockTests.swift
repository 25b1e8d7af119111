// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct FairLockTests {
  /// Notes the threads in the order in which they get the lock.
  private final class Queue: Sendable {
    let lock = FairLock()
    let order = Mutex<[Int]>([])
    let group = DispatchGroup()

    /// Starts a thread, and returns when it waits.
    func ask(_ number: Int) {
      let demand = lock.demand
      group.enter()
      Thread.detachNewThread { [self] in
        enter(number)
        group.leave()
      }
      while lock.demand == demand { Thread.sleep(forTimeInterval: 0.001) }
    }

    func enter(_ number: Int) {
      lock.lock()
      order.withLock { $0.append(number) }
      lock.unlock()
    }
  }

  @Test func `a thread that asks again comes after those that wait`() {
    let queue = Queue()
    queue.lock.lock()
    for number in 1...5 { queue.ask(number) }
    queue.lock.unlock()
    queue.enter(0)
    queue.group.wait()
    #expect(queue.order.withLock { $0 } == [1, 2, 3, 4, 5, 0])
  }

  @Test func `it is free only while nobody has it or waits for it`() {
    let queue = Queue()
    #expect(queue.lock.lockIfFree())
    #expect(!queue.lock.lockIfFree())
    queue.ask(1)
    queue.lock.unlock()
    queue.group.wait()
    #expect(queue.lock.lockIfFree())
    #expect(queue.order.withLock { $0 } == [1])
  }
}
