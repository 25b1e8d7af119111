// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

/// The events of a run, how a run is stopped, and when it refuses to start.
@Suite(.timeLimit(.minutes(5))) struct RunTests {
  private func world(on kind: TestServer.Kind) throws -> SyncWorld {
    let world = try SyncWorld(kind)
    try world.server.create("Game", (0..<30).map { ["title": .string("g\($0)")] })
    return world
  }

  @Test(arguments: TestServer.Kind.all)
  func `a late listener receives all events of the run`(on kind: TestServer.Kind) async throws {
    let world = try world(on: kind)
    let device = try world.device()
    let run = device.coordinator.startSync()
    let report = try await run.report
    var stages: [StageName] = []
    var ended: [StageName] = []
    var done = 0
    var firsts: Set<String> = []
    var isCompleted = false
    for await event in run.events {
      switch event {
      case .stageStarted(let stage): stages.append(stage)
      case .stageEnded(let stage, _): ended.append(stage)
      case .progress(let progress) where progress.stage == .importing:
        done = max(done, progress.done)
      case .initialSyncCompleted(let className): firsts.insert(className)
      case .completed(let last): isCompleted = last == report
      default: break
      }
    }
    #expect(stages == StageName.allCases)
    #expect(ended == StageName.allCases)
    #expect(done == 30)
    #expect(firsts == ["Game", "League"])
    #expect(isCompleted)
    #expect(report.stages.map(\.stage) == StageName.allCases)
    #expect(report.requests == world.network.requestCount)
  }

  @Test(arguments: TestServer.Kind.all)
  func `only the first sync is an initial sync`(on kind: TestServer.Kind) async throws {
    let world = try world(on: kind)
    let device = try world.device()
    try await device.sync()
    let run = device.coordinator.startSync()
    for await event in run.events {
      if case .initialSyncCompleted = event { Issue.record("It was brought over already") }
    }
  }

  @Test(arguments: TestServer.Kind.all)
  func `a cancelled run ends within half a second and resumes later`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try world(on: kind)
    let device = try world.device()
    world.network.setFault { _ in .delayed(.seconds(30)) }
    let run = device.coordinator.startSync()
    while world.network.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let start = ContinuousClock.now
    run.cancel()
    let error = await #expect(throws: SyncError.self) { try await run.report }
    #expect(error?.code == .cancelled)
    #expect(ContinuousClock.now - start < .milliseconds(500))
    world.network.setFault(nil)
    #expect(try await device.sync().classes["Game"]?.imported == 30)
  }

  @Test func `a silent server is told of after five seconds`() async throws {
    let world = try world(on: .double)
    let seconds = Mutex(0.0)
    var environment = SyncEnvironment.live
    environment.uptime = { seconds.withLock(\.self) }
    let device = try world.device(environment: environment)
    world.network.setFault { _ in .delayed(.seconds(30)) }
    let run = device.coordinator.startSync()
    while world.network.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    seconds.withLock { $0 = 5 }
    for await event in run.events {
      guard case .waiting(let length) = event else { continue }
      #expect(length == 5)
      break
    }
    run.cancel()
    await #expect(throws: SyncError.self) { try await run.report }
  }

  @Test func `a wait ends with its task, and the run goes on`() async throws {
    let world = try world(on: .double)
    let device = try world.device()
    world.network.setFault { _ in .delayed(.milliseconds(300)) }
    let run = device.coordinator.startSync()
    let waiting = Task { try await run.report }
    while world.network.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    waiting.cancel()
    let error = await #expect(throws: SyncError.self) { try await waiting.value }
    #expect(error?.code == .waitCancelled)
    world.network.setFault(nil)
    #expect(try await run.report.classes["Game"]?.imported == 30)
    // A run that has ended gives its report to each caller.
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await run.report
    }
    late.cancel()
    #expect(try await late.value.outcome == .complete)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a run of another coordinator ends at once`(on kind: TestServer.Kind) async throws {
    let world = try world(on: kind)
    let (device, other) = (try world.device(), try world.device())
    world.network.setFault { _ in .delayed(.seconds(30)) }
    let first = device.coordinator.startSync()
    while world.network.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let error = await #expect(throws: SyncError.self) { try await other.sync() }
    #expect(error?.code == .busy)
    first.cancel()
    _ = try? await first.report
    world.network.setFault(nil)
    #expect(try await other.sync().outcome == .complete)
  }

  @Test func `a run that the server puts off says for how long`() async throws {
    let world = try world(on: .double)
    let device = try world.device()
    world.network.setFault { _ in
      .answered(HTTPResponse(status: 429, headers: ["Retry-After": "7200"], body: Data("{}".utf8)))
    }
    let error = await #expect(throws: SyncError.self) { try await device.sync() }
    #expect(error?.code == .tryAgain && error?.retryAfter == .seconds(7200))
    world.network.setFault(nil)
    #expect(try await device.sync().outcome == .complete)
  }

  @Test(arguments: TestServer.Kind.all)
  func `requests during a run become one run after it`(on kind: TestServer.Kind) async throws {
    let world = try world(on: kind)
    let device = try world.device()
    world.network.setFault { _ in .delayed(.milliseconds(300)) }
    let first = device.coordinator.startSync(classes: ["League"])
    while world.network.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    world.network.setFault(nil)
    let runs = (0..<50).map { _ in device.coordinator.startSync(classes: ["Game"]) }
    let upload = device.coordinator.startSync(.only(.postCreated))
    #expect(runs.allSatisfy { $0 === runs[0] } && runs[0] !== first && upload !== runs[0])
    #expect(try await first.report.classes["Game"]?.imported == 0)
    #expect(try await runs[0].report.classes["Game"]?.imported == 30)
    #expect(try await upload.report.stages.map(\.stage) == [.postCreated])
    #expect(runs[0] !== device.coordinator.startSync(classes: ["Game"]))
    device.coordinator.waitForStages()
  }

  @Test func `a run that waits can be cancelled, and the others go on`() async throws {
    let world = try world(on: .double)
    let device = try world.device()
    world.network.setFault { _ in .delayed(.seconds(30)) }
    let first = device.coordinator.startSync()
    while world.network.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let waiting = device.coordinator.startSync()
    let plan = device.coordinator.startPlan()
    let start = ContinuousClock.now
    waiting.cancel()
    let error = await #expect(throws: SyncError.self) { try await waiting.report }
    #expect(error?.code == .cancelled)
    #expect(ContinuousClock.now - start < .milliseconds(500))
    world.network.setFault(nil)
    first.cancel()
    _ = try? await first.report
    #expect(try await plan.report.classes["Game"]?.imported == 30)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a sync of some classes leaves the others, and sends all edits`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try world(on: kind)
    let device = try world.device()
    try world.server.create("League", [["name": "North"]])
    try await device.coordinator.sync(classes: ["League"])
    #expect(try await device.store.read { try $0.count(of: "League") } == 1)
    #expect(try await device.store.read { try $0.count(of: "Game") } == 0)
    _ = try await device.store.write { try $0.insert("Game", ["title": "mine"]) }
    let plan = try await device.coordinator.plan(classes: ["League"])
    let report = try await device.coordinator.sync(classes: ["League"])
    #expect(report.classes["Game"]?.created == 1 && report.classes["Game"]?.imported == 0)
    #expect(plan.report.classes == report.classes)
    let sending = try await device.coordinator.sync(classes: [])
    #expect(sending.outcome == .complete)
    #expect(try await device.coordinator.sync().classes["Game"]?.imported == 30)
    #expect(try await device.store.read { try $0.count(of: "Game") } == 31)
    let error = await #expect(throws: SyncError.self) {
      try await device.coordinator.sync(classes: ["Gme"])
    }
    #expect(error?.code == .configuration)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a class's own serializer decodes and encodes its records`(
    on kind: TestServer.Kind
  ) async throws {
    struct Upside: RecordSerializer {
      var wireKeys: [String] { ["t"] }
      func decode(_ wire: Fields) throws -> Fields { Fields(["title": wire["t"] ?? .null]) }
      func encode(_ fields: Fields) throws -> Fields {
        Fields(
          Dictionary(uniqueKeysWithValues: fields.values.map { ($0 == "title" ? "t" : $0, $1) }))
      }
    }
    let world = try SyncWorld(kind)
    let schema = Schema { Entity("Game") { Field("title", .text) }.serialized(by: Upside()) }
    let device = try world.device(schema: schema)
    _ = try await device.store.write { try $0.insert("Game", ["title": "here"]) }
    try world.server.create("Game", ["t": "there"])
    try await device.sync()
    try await device.sync()
    #expect(
      try world.server.rows(of: "Game").values.compactMap { $0["t"]?.string }.sorted() == [
        "here", "there",
      ])
    let titles = try await device.store.read { try $0.records(of: "Game").map { $0["title"] } }
    #expect(titles.count == 2)
    #expect(titles.contains("there") && titles.contains("here"))
  }
}
