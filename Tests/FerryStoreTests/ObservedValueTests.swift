// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Observation
import Synchronization
import Testing

/// A model of a view holds the newest value of a store.
@MainActor
struct ObservedValueTests {
  private let schema = Schema { Entity("Game") { Field("title", .text) } }

  @Test func `a view is told when a commit changes the value`() async throws {
    let store = try InMemoryStore(schema: schema)
    let count = ObservedValue(store.observe { try $0.count(of: "Game") }, initially: -1)
    #expect(count.value == -1)
    try await reaches(0, count)
    let changes = Mutex(0)
    withObservationTracking {
      _ = count.value
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    try await store.write { try $0.insert("Game", ["title": "a"]) }
    try await reaches(1, count)
    #expect(changes.withLock(\.self) == 1)
    #expect(count.error == nil)
  }

  @Test func `an error ends it and is told`() async throws {
    let store = try InMemoryStore(schema: schema)
    let count = ObservedValue(store.observe { try $0.count(of: "Unknown") }, initially: 7)
    for _ in 0..<500 where count.error == nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect((count.error as? StoreError)?.code == .unknownClass)
    #expect(count.value == 7)
  }

  @Test func `it lets the store go when nobody holds it`() async throws {
    weak var held: InMemoryStore?
    do {
      let store = try InMemoryStore(schema: schema)
      held = store
      let count = ObservedValue(store.observe { try $0.count(of: "Game") }, initially: -1)
      try await reaches(0, count)
    }
    for _ in 0..<500 where held != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(held == nil)
  }

  private func reaches(_ expected: Int, _ count: ObservedValue<Int>) async throws {
    for _ in 0..<500 where count.value != expected { try await Task.sleep(for: .milliseconds(10)) }
    #expect(count.value == expected)
  }
}
