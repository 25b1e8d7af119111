// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryLive
import Foundation
import LoopbackParse

/// The time from an app's commit to the row in another app's store, while both run by themselves.
///
/// Each commit comes when the one before has arrived, after a pause, as a person edits. So no sync waits for the
/// distance that woken syncs keep. A round takes four minutes, most of it pauses.
struct LiveArrivalBenchmark: Benchmark {
  static let rounds = 1
  private static let rows = 100

  private let double: LoopbackServer?
  private let real: RealServer?
  private let folder = BenchmarkPlace.temporaryFolder()

  var limitName: String? { nil }

  init(on real: RealServer?) throws {
    self.real = real
    try real?.createClass()
    var configuration = LoopbackConfiguration()
    configuration.liveQueryClasses = [".*"]
    double = real == nil ? try LoopbackServer(configuration) : nil
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    try real?.empty()
    let place = BenchmarkPlace(
      folder: folder.appending(path: "\(round)"), server: real?.url ?? double?.url ?? "")
    defer { try? place.remove() }
    var measurement = try BenchmarkStep(.liveArrival, at: place, Self.rows).measured()
      .divided(by: Self.rows)
    measurement.parts = try BenchmarkParts(file: place.parts).seconds
    return measurement
  }

  func measureLimit(_ round: Int) throws -> Measurement? { nil }

  func end() {
    try? real?.empty()
    double?.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}

extension BenchmarkStep {
  /// Inserts a row in one running store and waits until the other shows it, once for each record.
  func arriveLive() async throws {
    let other = BenchmarkPlace(folder: place.folder.appending(path: "other"), server: place.server)
    let (store, otherStore) = (try place.store(), try other.store())
    let (here, there) = (
      try place.coordinator(of: store), try other.coordinator(of: otherStore)
    )
    let live = LiveQueries(of: there)
    let running = Task {
      await withDiscardingTaskGroup { group in
        group.addTask { await here.run() }
        group.addTask { await there.run() }
        group.addTask { await live.run() }
      }
    }
    defer { running.cancel() }
    for await case .listening in live.states { break }
    var lists = otherStore.observe(Query("Note")).makeAsyncIterator()
    var shown = try await lists.next()?.count ?? 0
    var times: [Duration] = []
    for note in NoteGenerator().rows(records) {
      try await Task.sleep(for: .milliseconds(Int.random(in: 2000...3000)))
      try await store.write { _ = try $0.insert("Note", note) }
      let committed = ContinuousClock.now
      let count = try await lists.next()?.count ?? 0
      times.append(.now - committed)
      guard count == shown + 1 else { throw Incomplete(done: times.count) }
      shown = count
    }
    var parts = BenchmarkParts()
    parts.tell(times, "arrival")
    try parts.write(to: place.parts)
  }
}
