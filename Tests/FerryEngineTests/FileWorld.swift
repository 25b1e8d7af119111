// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation

@testable import FerryEngine

/// A device that fetches files from a server.
final class FileWorld: Sendable {
  let folder: TemporaryDirectory
  let clock = ManualClock()
  let server: ParseServer
  private let transport: any HTTPTransport
  private let store: InMemoryStore

  init(_ server: ParseServer, over transport: any HTTPTransport = CurlTransport()) throws {
    folder = try TemporaryDirectory()
    self.server = server
    self.transport = transport
    store = try InMemoryStore(schema: Sports.schema)
  }

  var files: URL { folder.url.appending(path: "files", directoryHint: .isDirectory) }
  var cache: FileCache { FileCache(at: files) }

  /// A coordinator of a new process; pauses between tries are short.
  func coordinator(
    in folder: URL? = nil, _ change: (inout FileTerms) -> Void = { _ in }
  ) -> SyncCoordinator {
    var terms = FileTerms(SyncOptions())
    terms.timeout = .seconds(5)
    terms.retries.firstDelay = .milliseconds(1)
    terms.retries.attempts = 3
    terms.noteEvery = 1 << 16
    change(&terms)
    return SyncCoordinator(
      store: store, server: server,
      staging: (folder ?? self.folder.url).appending(path: "staging"), files: StagingFiles(),
      conflicts: .remoteWins, options: SyncOptions(), transport: transport,
      environment: clock.environment, terms: terms)
  }

  /// The names in a folder below that of the files.
  func names(in name: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: files.appending(path: name).path)) ?? []
  }

  /// Writes a file below that folder, which no process has changed for four days.
  func writeOld(_ path: String) throws {
    let file = files.appending(path: path)
    try Data("x".utf8).write(to: file)
    try Self.age(file)
  }

  /// Makes a folder below that folder, which no process has changed for four days.
  func makeOldFolder(_ path: String) throws {
    let folder = files.appending(path: path)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Self.age(folder)
  }

  /// Lets a file be one that no process has changed for four days.
  static func age(_ file: URL, days: Double = 4) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)], ofItemAtPath: file.path)
  }

  /// Bytes that differ from place to place.
  static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
    var state = seed
    var bytes = Data(capacity: count)
    for _ in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes.append(UInt8(truncatingIfNeeded: state >> 56))
    }
    return bytes
  }
}

/// The code of the error that a fetch throws; nil if it throws none.
func fileErrorCode(_ body: () async throws(FileError) -> URL) async -> FileError.Code? {
  do throws(FileError) {
    _ = try await body()
    return nil
  } catch {
    return error.code
  }
}
