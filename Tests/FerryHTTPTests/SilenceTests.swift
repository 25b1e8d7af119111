// Ferry: offline-first sync for Parse Server. MIT licence.

import Testing

@testable import FerryHTTP

@Suite struct SilenceTests {
  /// The events of each second from 0 on.
  private func said(_ seconds: Int, _ change: (inout Silence, Int) -> Void) -> [Int] {
    var silence = Silence()
    return (0..<seconds).filter { second in
      change(&silence, second)
      return silence.toSay(at: Double(second)) != nil
    }
  }

  @Test func `a silence is told after five seconds and each time it doubles`() {
    #expect(said(60) { if $1 == 0 { $0.left(1, at: 0) } } == [5, 10, 20, 40])
  }

  @Test func `an answer ends a silence, and the next one is told anew`() {
    let told = said(30) { silence, second in
      if second == 0 { for tag in 1...2 { silence.left(tag, at: 0) } }
      if second == 7 { silence.ended(1, at: 7) }
    }
    #expect(told == [5, 12, 17, 27])
  }

  @Test func `a request that waits for its time is no silence`() {
    #expect(said(20) { if $1 == 0 { $0.left(1, at: 12) } } == [17])
  }

  @Test func `without a request there is no silence`() {
    let told = said(20) { silence, second in
      if second == 0 { silence.left(1, at: 0) }
      if second == 2 { silence.ended(1, at: 2) }
    }
    #expect(told.isEmpty)
  }
}
