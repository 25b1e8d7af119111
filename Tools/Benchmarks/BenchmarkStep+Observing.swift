// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

extension BenchmarkStep {
  /// The observed rows: as many as a number, as long as the store has more.
  private static func notes(_ count: Int) -> Query {
    Query(
      "Note", where: .field("count", .lessThan, .integer(Int64(count))),
      orderedBy: .ascending("title"))
  }

  /// Writes on the calling thread.
  private static func commit<Result>(
    in store: SQLiteStore, _ body: (any StoreTransaction) throws -> Result
  ) throws {
    _ = try store.write(body)
  }

  private static let commitInterval = Duration.milliseconds(10)

  /// Changes an observed row and waits for the list that shows it, once for each record; the same over another
  /// connection, with lists of other lengths, and with a badge.
  func observe() async throws {
    let (store, other) = (try place.store(), try place.store())
    var parts = BenchmarkParts()
    for count in [10, 100, 1000, 10_000] {
      try await time(Self.notes(count), of: store, writtenBy: store, "list of \(count)", &parts)
    }
    try await time(Self.notes(1000), of: store, writtenBy: other, "another connection", &parts)
    try await timeBadge(&parts)
    try parts.write(to: place.parts)
  }

  private func time(
    _ query: Query, of store: SQLiteStore, writtenBy writer: SQLiteStore, _ name: String,
    _ parts: inout BenchmarkParts
  ) async throws {
    var lists = store.observe(query).makeAsyncIterator()
    guard let rows = try await lists.next(), !rows.isEmpty else { throw Incomplete(done: nil) }
    var (commits, times): ([Duration], [Duration]) = ([], [])
    for number in 0..<records {
      let note = rows[number % rows.count].reference
      let ratio = Value.number(Double.random(in: 1...2))
      let start = ContinuousClock.now
      try Self.commit(in: writer) { try $0.update(note, ["ratio": ratio]) }
      let committed = ContinuousClock.now
      let list = try await lists.next()
      times.append(.now - committed)
      commits.append(committed - start)
      guard list?.contains(where: { $0.reference == note && $0["ratio"] == ratio }) == true else {
        throw Incomplete(done: number)
      }
    }
    parts.tell(commits, "\(name): commit")
    parts.tell(times, "\(name): list")
  }

  private static let unsent = 1000

  /// Each commit makes one more row unsent, in a store with 1,000 unsent rows.
  ///
  /// Counting reads the edits since the last sync, so the rows of the other store, which never synced, would all be read.
  private func timeBadge(_ parts: inout BenchmarkParts) async throws {
    let folder = place.folder.appending(path: "badge")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try BenchmarkPlace(folder: folder, server: place.server).store()
    try Self.commit(in: store) { transaction in
      for note in NoteGenerator().rows(Self.unsent) { try transaction.insert("Note", note) }
    }
    var badges = store.observe(inspecting: { try $0.pendingCounts() }).makeAsyncIterator()
    guard var shown = try await badges.next() else { throw Incomplete(done: nil) }
    var times: [Duration] = []
    for note in NoteGenerator().rows(records) {
      try Self.commit(in: store) { try $0.insert("Note", note) }
      let committed = ContinuousClock.now
      guard let badge = try await badges.next(), badge != shown else { throw Incomplete(done: nil) }
      times.append(.now - committed)
      shown = badge
    }
    parts.tell(times, "badge")
  }

  /// Commits 100 times a second, as many times as there are records, beside an observation or without one.
  func commitLoad(observed: Bool) async throws {
    let store = try place.store()
    let notes = try await store.read { try $0.references(Self.notes(1000)) }
    let last = Value.number(-Double.random(in: 1...2))
    // An earlier run has written to the same rows, and equal values would change no list.
    let fraction = Double.random(in: 0..<1)
    let lastNote = notes[(records - 1) % notes.count]
    let watching = observed ? await watch(store, until: lastNote, has: last) : nil
    try await atIntervals { number in
      let ratio = number + 1 == records ? last : .number(Double(number) + fraction)
      try store.write { try $0.update(notes[number % notes.count], ["ratio": ratio]) }
    }
    guard let watching else { return }
    let lists = try await watching.value
    // A list may show several commits.
    guard lists > records / 2 else { throw Incomplete(done: lists) }
  }

  /// Counts the lists up to the one in which a note has a value; returns when the first list is there.
  private func watch(
    _ store: SQLiteStore, until note: RecordReference, has last: Value
  ) async -> Task<Int, any Error> {
    let (firstLists, firstList) = AsyncStream.makeStream(of: Void.self)
    let watching = Task {
      defer { firstList.finish() }
      var count = 0
      // The list keeps its order, so one search is enough: the load is that of the observation.
      var place: Int?
      for try await list in store.observe(Self.notes(1000)) {
        count += 1
        firstList.yield()
        place = place ?? list.firstIndex { $0.localID == note.localID }
        if let place, list[place]["ratio"] == last { break }
      }
      return count
    }
    for await _ in firstLists { break }
    return watching
  }

  private func atIntervals(_ body: (Int) throws -> Void) async throws {
    let start = ContinuousClock.now
    for number in 0..<records {
      try body(number)
      try await Task.sleep(until: start + Self.commitInterval * (number + 1), clock: .continuous)
    }
  }

  /// Notes how long after the commits of another process each list comes.
  func observeProcess() async throws {
    let store = try place.store()
    var lists = store.observe(Self.notes(1000)).makeAsyncIterator()
    guard try await lists.next() != nil else { throw Incomplete(done: nil) }
    let writer = Process()
    writer.executableURL = MeasuredProcess.thisProgram
    writer.arguments = BenchmarkStep(.commitTimes, at: place, records).arguments
    try writer.run()
    var (times, newest): ([Duration], Double) = ([], Self.secondsNow)
    while let list = try await lists.next() {
      let now = Self.secondsNow
      let written = list.map { $0["ratio"].secondsOfCommit }.max() ?? 0
      guard written < Self.end else { break }
      guard written > newest else { continue }
      newest = written
      times.append(.seconds(now - written))
    }
    writer.waitUntilExit()
    var parts = BenchmarkParts()
    parts.tell(times, "list")
    try parts.write(to: place.parts)
  }

  /// Writes the time into an observed row, 100 times a second.
  func commitTimes() async throws {
    let store = try place.store()
    let notes = try await store.read { try $0.references(Self.notes(1000)) }
    try await atIntervals { number in
      let time = number + 1 == records ? Self.end : Self.secondsNow
      try store.write { try $0.update(notes[number % notes.count], ["ratio": .number(time)]) }
    }
  }

  /// The seconds of a clock that all processes share; far more than any note's ratio.
  private static var secondsNow: Double { Date().timeIntervalSince1970 }
  /// The number that the last commit writes.
  private static let end = 1e12
}

extension Value {
  /// The time that `commitTimes` has written.
  fileprivate var secondsOfCommit: Double {
    if case .number(let seconds) = self { seconds } else { 0 }
  }
}
