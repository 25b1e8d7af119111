// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine

/// Files that are fetched before anyone opens them.
@Suite(.timeLimit(.minutes(3))) struct FilePrefetchTests {
  private static let schema = Schema {
    Entity("Photo") {
      Field("title", .text)
      Field("image", .file)
      Field("film", .file)
    }
  }

  /// The failures of a prefetch, by the names of the files.
  private final class Failures: Sendable {
    private let all = Mutex<[(name: String, code: FileError.Code)]>([])
    func note(_ file: PrefetchedFile, _ error: FileError) {
      all.withLock { $0.append((file.file.name, error.code)) }
    }
    var codes: [FileError.Code] { all.withLock { $0.map(\.code) } }
    func count(of name: String) -> Int { all.withLock { $0.filter { $0.name == name }.count } }
  }

  private let failures = Failures()

  /// Runs a prefetch of images while a closure does.
  private func prefetching(
    with coordinator: SyncCoordinator,
    if mayFetch: @escaping @Sendable (PrefetchedFile) async -> Bool = { _ in true },
    _ body: () async throws -> Void
  ) async throws {
    let prefetch = Task { [failures] in
      try await coordinator.prefetchFiles(
        of: ["Photo": ["image"]], firstPause: .milliseconds(1),
        onFailure: { failures.note($0, $1) }, if: mayFetch)
    }
    do {
      try await body()
    } catch {
      prefetch.cancel()
      throw error
    }
    prefetch.cancel()
    await #expect(throws: CancellationError.self) { try await prefetch.value }
  }

  /// A coordinator whose fetches repeat no request.
  private func impatient(_ device: Device, _ world: SyncWorld) -> SyncCoordinator {
    var terms = FileTerms(SyncOptions())
    terms.retries.attempts = 1
    return SyncCoordinator(
      store: device.store, server: world.server.known(), staging: device.staging,
      files: StagingFiles(), conflicts: .remoteWins, options: SyncOptions(),
      transport: world.network, environment: .live, terms: terms)
  }

  private func image(_ world: SyncWorld, _ text: String) throws -> (
    name: String, value: LoopbackValue
  ) {
    let name = try world.server.upload("a.txt", Data(text.utf8))
    return (name, ["__type": "File", "name": .string(name), "url": "http://example.com/x"])
  }

  private func text(_ name: String, on device: Device) -> String? {
    device.coordinator.keptFile(File(name: name)).flatMap {
      try? String(contentsOf: $0, encoding: .utf8)
    }
  }

  private func requests(_ world: SyncWorld) -> Int {
    world.network.exchanges.filter { $0.path.hasPrefix("/files") }.count
  }

  @Test(arguments: TestServer.Kind.all)
  func `images come after syncs, also replaced ones, and other fields stay on demand`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    let (first, film) = (try image(world, "first"), try image(world, "film"))
    let id = try world.server.create("Photo", ["image": first.value, "film": film.value])
    let device = try world.device(schema: Self.schema)
    try await prefetching(with: device.coordinator) {
      try await device.sync()
      #expect(await eventually { text(first.name, on: device) == "first" })
      let second = try image(world, "second")
      try world.server.update("Photo", id, ["image": second.value, "title": "later"])
      try await device.sync()
      #expect(await eventually { text(second.name, on: device) == "second" })
    }
    #expect(text(film.name, on: device) == nil)
    #expect(requests(world) == 2)
    #expect(failures.codes.isEmpty)
  }

  @Test func `a new process goes on where the last one ended, and reads no row twice`() async throws
  {
    let world = try SyncWorld()
    let old = try image(world, "old")
    let id = try world.server.create("Photo", ["image": old.value])
    let device = try world.device(schema: Self.schema)
    try await device.sync()
    try await prefetching(with: device.coordinator) {
      #expect(await eventually { text(old.name, on: device) == "old" })
      #expect(
        await eventually {
          (try? device.store.historyReader("files of Photo.image").unread().transactions.isEmpty)
            == true
        })
    }
    // A change of another field is no reason to look, even where the content has left.
    try FileCache(at: device.staging.deletingLastPathComponent().appending(path: "files"))
      .prune(to: 0)
    try world.server.update("Photo", id, ["title": "x"])
    let new = try image(world, "new")
    try world.server.create("Photo", ["image": new.value])
    let next = try world.device(schema: Self.schema)
    try await next.sync()
    try await prefetching(with: next.coordinator) {
      #expect(await eventually { text(new.name, on: next) == "new" })
    }
    #expect(requests(world) == 2)
  }

  @Test func `after history is dropped, it looks at all rows, and at changes meanwhile`()
    async throws
  {
    let world = try SyncWorld()
    let images = try (0..<5).map { try image(world, "\($0)") }
    _ = try world.server.load("Photo", images.prefix(4).map { ["image": $0.value] })
    let device = try world.device(schema: Self.schema)
    try await device.sync()
    let store = device.store
    _ = try store.sync(.full) { try $0.pruneHistory(keeping: .init(since: .latest), limit: .max) }
    let late = Mutex(false)
    try await prefetching(
      with: device.coordinator,
      if: { [last = images[4].value] _ in
        // While the rows are looked at, another one comes.
        guard
          late.withLock({ isLate in
            defer { isLate = true }; return !isLate
          })
        else { return true }
        _ = try? world.server.create("Photo", ["image": last])
        _ = try? await device.sync()
        // History is dropped once more, up to that row.
        _ = try? store.sync(.full) {
          try $0.pruneHistory(keeping: .init(since: .latest), limit: .max)
        }
        return true
      }
    ) {
      for (number, image) in images.enumerated() {
        #expect(await eventually { text(image.name, on: device) == "\(number)" })
      }
    }
    #expect(requests(world) == 5)
  }

  @Test func `the app leaves files on demand`() async throws {
    let world = try SyncWorld()
    let (small, large) = (try image(world, "small"), try image(world, "large"))
    try world.server.create("Photo", ["title": "large", "image": large.value])
    try world.server.create("Photo", ["title": "small", "image": small.value])
    let device = try world.device(schema: Self.schema)
    try await device.sync()
    try await prefetching(with: device.coordinator, if: { $0.file.name == small.name }) {
      #expect(await eventually { text(small.name, on: device) == "small" })
    }
    #expect(text(large.name, on: device) == nil && requests(world) == 1)
  }

  @Test func `a server that is away is waited for, and a file that is gone is left`() async throws {
    let world = try SyncWorld()
    let kept = try image(world, "kept")
    let gone = "0123456789abcdef0123456789abcdef_gone.txt"
    try world.server.create(
      "Photo", ["image": ["__type": "File", "name": .string(gone), "url": "http://example.com/x"]])
    try world.server.create("Photo", ["image": kept.value])
    let device = try world.device(schema: Self.schema)
    try await device.sync()
    let coordinator = impatient(device, world)
    world.network.setFault { $0.path.hasPrefix("/files") ? .requestLost : nil }
    try await prefetching(with: coordinator) {
      #expect(await eventually { failures.count(of: kept.name) > 5 })
      world.network.setFault(nil)
      #expect(await eventually { text(kept.name, on: device) == "kept" })
      #expect(await eventually { failures.codes.contains(.notFound) })
    }
    #expect(failures.codes.filter { $0 == .notFound }.count == 1)
  }

  @Test func `a file whose server exists no more holds up no other`() async throws {
    let world = try SyncWorld()
    let kept = try image(world, "kept")
    let device = try world.device(schema: Self.schema)
    for number in 0..<6 {
      let file = File(name: "\(number).txt", url: "http://127.0.0.1:1/\(number).txt")
      try await device.store.write { db in try db.insert("Photo", ["image": .file(file)]) }
    }
    try world.server.create("Photo", ["image": kept.value])
    try await device.sync(.through(.importing))
    let coordinator = impatient(device, world)
    try await prefetching(with: coordinator) {
      #expect(await eventually { text(kept.name, on: device) == "kept" })
    }
    #expect(failures.codes.allSatisfy { $0 == .unreachable })
    #expect(failures.count(of: "0.txt") == 3)
  }

  @Test func `a file that the server cannot give holds up no other`() async throws {
    let world = try SyncWorld()
    let (broken, kept) = (try image(world, "broken"), try image(world, "kept"))
    try world.server.create("Photo", ["image": broken.value])
    let device = try world.device(schema: Self.schema)
    try await device.sync()
    world.network.setFault { request in
      request.path.hasSuffix(broken.name)
        ? .answered(HTTPResponse(status: 500, headers: HTTPHeaders(), body: Data())) : nil
    }
    try await prefetching(with: impatient(device, world)) {
      #expect(await eventually { failures.count(of: broken.name) > 5 })
      try world.server.create("Photo", ["image": kept.value])
      try await device.sync()
      #expect(await eventually { text(kept.name, on: device) == "kept" })
    }
  }

  @Test func `files that were used stay, so nothing comes ahead once the room is taken`()
    async throws
  {
    let world = try SyncWorld()
    let used = try image(world, String(repeating: "u", count: 950))
    let ahead = try image(world, "ahead")
    var options = SyncOptions()
    options.filesLimit = 1000
    let device = try world.device(schema: Self.schema, options: options)
    _ = try await device.coordinator.fetchFile(File(name: used.name))
    try world.server.create("Photo", ["image": ahead.value])
    try await device.sync()
    try await prefetching(with: device.coordinator) {
      #expect(await eventually { failures.codes == [.noRoom] })
    }
    #expect(text(used.name, on: device)?.count == 950 && text(ahead.name, on: device) == nil)
  }

  @Test func `only declared file fields can be prefetched`() async throws {
    let device = try SyncWorld().device(schema: Self.schema)
    for (fields, code) in [
      (["Foto": ["image"]], .unknownClass), (["Photo": ["picture"]], .unknownField),
      (["Photo": ["title"]], .wrongType),
    ] as [([String: Set<String>], StoreError.Code)] {
      let error = await #expect(throws: StoreError.self) {
        try await device.coordinator.prefetchFiles(of: fields)
      }
      #expect(error?.code == code)
    }
  }
}
