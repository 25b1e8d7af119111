// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

@Suite struct CreateOrderTests {
  static func key(_ number: Int64) -> RecordKey {
    RecordKey(className: "Game", localID: LocalID(rawValue: number))
  }

  static let waiting: [RecordKey: [UnsentPointerTargets.Parent]] = [
    key(2): [.init(field: "next", key: key(1))]
  ]

  @Test func `rows behind the last one at the beginning wait for the next run`() {
    var order = CreateOrder(upTo: ["Game": LocalID(rawValue: 2)])
    #expect(order.mayGo(Self.key(2)))
    #expect(!order.mayGo(Self.key(3)))
    #expect(!order.mayGo(RecordKey(className: "League", localID: LocalID(rawValue: 1))))
    order.hold([Self.key(2)])
    #expect(!order.mayGo(Self.key(2)))
  }

  @Test func `a pass without waiting records is the last one`() {
    var order = CreateOrder(upTo: [:])
    order.take(UploadPlanner.Wave(writes: [.init(key: Self.key(1))]))
    #expect(order.endPass() == .done)
  }

  @Test func `records that wait get another pass as long as a pass moves anything`() {
    var order = CreateOrder(upTo: ["Game": LocalID(rawValue: 9)])
    order.take(UploadPlanner.Wave(waiting: Self.waiting))
    order.take(UploadPlanner.Wave(writes: [.init(key: Self.key(3))]))
    #expect(order.endPass() == .pass)
    order.take(UploadPlanner.Wave(stuck: [Self.key(1): .sending], waiting: Self.waiting))
    #expect(order.endPass() == .pass)
    #expect(!order.mayGo(Self.key(1)))
    order.take(UploadPlanner.Wave(waiting: Self.waiting))
    #expect(order.endPass() == .breakCircle(from: Self.key(2)))
    #expect(order.endPass() == .done)
  }

  @Test func `a chain that ends leads to no circle`() {
    #expect(Cycles.opener(from: Self.key(2)) { Self.waiting[$0] ?? [] } == nil)
  }
}
