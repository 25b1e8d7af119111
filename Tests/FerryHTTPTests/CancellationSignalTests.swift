// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import FerryHTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CancellationSignalTests {
  @Test func `actions run once, in the order they were registered, unless taken back`() {
    let signal = CancellationSignal()
    let order = Mutex<[Int]>([])
    let registrations = (0..<5).map { number in
      signal.onCancel { order.withLock { $0.append(number) } }
    }
    registrations[3].end()
    #expect(!signal.isCancelled)
    signal.cancel()
    signal.cancel()
    registrations[0].end()
    #expect(signal.isCancelled)
    #expect(order.withLock(\.self) == [0, 1, 2, 4])
  }

  @Test func `an action registered too late runs at once`() {
    let signal = CancellationSignal()
    signal.cancel()
    let count = Mutex(0)
    signal.onCancel { count.withLock { $0 += 1 } }.end()
    #expect(count.withLock(\.self) == 1)
  }

  @Test func `an action may ask the signal, and register for it`() {
    let signal = CancellationSignal()
    let count = Mutex(0)
    _ = signal.onCancel {
      guard signal.isCancelled else { return }
      _ = signal.onCancel { count.withLock { $0 += 1 } }
    }
    signal.cancel()
    #expect(count.withLock(\.self) == 1)
  }

  @Test func `whatever the race between registering and cancelling, each action runs once`() {
    for _ in 0..<200 {
      let signal = CancellationSignal()
      let count = Mutex(0)
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        if number == 2 { signal.cancel() }
        _ = signal.onCancel { count.withLock { $0 += 1 } }
      }
      #expect(count.withLock(\.self) == 4)
    }
  }
}
