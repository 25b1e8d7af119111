// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import FerryStore

// Classes that no sync lists: devices fetch queries, ask for their rows again, and evict rows.
extension Player {
  /// Fetches the records of a query; other things may happen meanwhile.
  func fetch(_ number: Int, _ query: Query, _ interruptions: [Interruption]) throws {
    let device = devices[number]
    guard !courses.contains(where: { $0.device == number }) else { return }
    tally.count("a device fetches a query", isWithinSync: !courses.isEmpty)
    tale.beginRun(number, "fetch " + query.storyText)
    _ = try judgedFetch(query, interruptions, on: device)
  }

  /// Fetches, and holds what came against the oracle's own answer where nothing else happened meanwhile.
  ///
  /// - Returns: The records that came; nil if the fetch failed.
  private func judgedFetch(
    _ query: Query, _ interruptions: [Interruption], on device: Device
  ) throws -> FetchedRecords? {
    let (before, time) = (try device.view(), oracle.demand.time)
    var fetched: FetchedRecords?
    let (run, course) = try carryOut(interruptions, on: device) {
      let result = try device.fetch(query)
      fetched = result.fetched
      return result.run
    }
    guard !course.wasKilled, world.settings.isServerTruthful else { return nil }
    let after = try device.view()
    try oracle.checkUninvited(before, after, besides: query.className)
    guard case .success = run.result, let fetched else { return nil }
    guard !course.wasRough, oracle.demand.time == time, device.declaration == .present,
      let made = world.madeClass(query.className)
    else { return fetched }
    tally.count("a fetch is held against the oracle's answer", isWithinSync: !courses.isEmpty)
    try oracle.checkAnswer(
      FetchedAnswer(
        query: query, isExact: fetched.isExact, isComplete: fetched.isComplete,
        records: try device.names(of: fetched.records), answer: try device.names(of: query)),
      of: made, server: server.rows(of: made.name), before, after)
    return fetched
  }

  /// A device asks for its rows of a class by their ids, and evicts those that the server does not show.
  func askAgain(_ device: Device, _ className: String) throws {
    guard !courses.contains(where: { $0.device == device.number }) else { return }
    let ids = try device.objectIDs(of: className)
    guard !ids.isEmpty else { return }
    try bring(Query(className, where: .oneOf("objectId", ids.map { .string($0) })), on: device)
  }

  /// A device fetches all records of a class, and evicts the rows that the server does not show.
  func fetchAll(_ className: String, on device: Device) throws {
    try bring(Query(className), on: device)
  }

  private func bring(_ query: Query, on device: Device) throws {
    tale.beginRun(device.number, "fetch " + query.storyText)
    guard let fetched = try judgedFetch(query, [], on: device) else { return }
    let shown = Set(fetched.records)
    let rows = try device.references(of: query.className)
    try evict(rows.filter { !shown.contains($0) }, on: device)
  }

  /// Evicts the rows of these names that the device has.
  func evict(_ names: [String], on device: Device) throws {
    let wanted = Set(names)
    let rows = try world.classes.filter(\.isOnDemand).flatMap { made in
      try device.references(of: made.name)
    }
    let chosen = try device.names(of: rows)
    try evict(zip(rows, chosen).filter { wanted.contains($1) }.map(\.0), on: device)
  }

  private func evict(_ rows: [RecordReference], on device: Device) throws {
    guard !rows.isEmpty else { return }
    let before = try device.view()
    let names = try device.names(of: rows)
    tally.count("a device evicts rows", isWithinSync: !courses.isEmpty)
    tale.beginRun(device.number, "evict " + names.joined(separator: ", "))
    var report: EvictionReport?
    let (run, course) = try carryOut([], on: device, removes: false) {
      let result = device.evict(rows)
      report = result.report
      return result.run
    }
    let after = try device.view()
    oracle.demand.evicted(Set(names).subtracting(after.rows.map(\.name)), on: device.number)
    guard !course.wasKilled, case .success = run.result, let report else { return }
    try oracle.checkEviction(
      report.evicted.map(\.localID), of: rows.map(\.className), before, after)
  }
}

extension Device {
  /// The names of rows, in their order.
  func names(of rows: [RecordReference]) throws -> [String] {
    rows.map { row in
      surroundings.identities.name(Pointer(className: row.className, objectID: row.objectID))
    }
  }

  /// The names of a query's rows in the store, in their order.
  func names(of query: Query) throws -> [String] {
    try looking { try $0.records(query) }.map {
      self.surroundings.classes.name(of: query.className, $0.fields) ?? "?"
    }
  }

  func references(of className: String) throws -> [RecordReference] {
    try looking { try $0.references(Query(className)) }
  }

  /// The ids of the rows of a class, and of its records in quarantine.
  func objectIDs(of className: String) throws -> [String] {
    let setAside = try looking { try $0.quarantine(of: className) }.map(\.objectID)
    return Set(try references(of: className).map(\.objectID) + setAside).sorted()
  }
}
