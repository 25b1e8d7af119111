// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine

/// The files that fields name, compared with the server and with the folder.
@Suite(.timeLimit(.minutes(2))) struct FileComparisonTests {
  @Test(arguments: TestServer.Kind.all, [true, false])
  func `files that are gone or have another size are found`(
    on kind: TestServer.Kind, streams: Bool
  ) async throws {
    var options = TestServerOptions()
    options.streamsFiles = streams
    let world = try SyncWorld(kind, options)
    let device = try world.device(schema: Photos.schema)
    var photos: [RecordReference] = []
    for index in 0..<4 {
      let image = try await device.coordinator.newFile(Data("photo \(index)".utf8), name: "a.txt")
      photos.append(
        try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) })
    }
    try await device.sync()
    let equal = try await differences(device)
    #expect(
      equal.found.isEmpty && equal.comparison == FileComparison(files: 4, here: 4, requests: 4))
    let gone = try #require(try await device.file(of: photos[0]))
    _ = try world.server.answer(TestServer.Call(.delete, "/files/\(gone.name)"))
    let second = try #require(try await device.file(of: photos[1]))
    let cut = try #require(device.coordinator.keptFile(second))
    let new = try await device.coordinator.newFile(Data("new".utf8), name: "b.txt")
    try FileManager.default.removeItem(at: #require(device.coordinator.keptFile(new)))
    let unsent = try await device.store.write { try $0.insert("Photo", ["image": .file(new)]) }
    let again = try await device.store.write { try $0.insert("Photo", ["image": .file(gone)]) }
    // The note says the same size as the content, as if another file had taken the place.
    try FileWorld.shorten(cut, in: device)
    let (found, comparison) = try await differences(device)
    let kinds = Dictionary(grouping: found, by: \.kind).mapValues { Set($0.map(\.row.localID)) }
    #expect(
      kinds == [
        .missingThere: [photos[0].localID, again.localID], .otherSize: [photos[1].localID],
        .contentMissing: [unsent.localID],
      ])
    #expect(found.first { $0.kind == .otherSize }.map { [$0.bytesHere, $0.bytesThere] } == [6, 7])
    #expect(comparison.files == 5 && comparison.requests == 4)
  }

  @Test func `a server that does not answer leaves it open`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try await device.store.write { _ = try $0.insert("Photo", ["image": .file(image)]) }
    try await device.sync()
    world.network.setFault {
      $0.method == .head ? .answered(HTTPResponse(status: 502, headers: [:], body: Data())) : nil
    }
    #expect(try await differences(device).found.map(\.kind) == [.undecided])
  }

  private func differences(
    _ device: Device
  ) async throws -> (found: [FileDifference], comparison: FileComparison) {
    let found = Mutex<[FileDifference]>([])
    let comparison = try await device.coordinator.compareFiles { difference in
      found.withLock { $0.append(difference) }
    }
    return (found.withLock { $0 }, comparison)
  }
}

extension FileWorld {
  /// Takes the last byte of a content away, and lets the notes of its files say so.
  fileprivate static func shorten(_ content: URL, in device: Device) throws {
    let bytes = try Data(contentsOf: content).dropLast()
    try FileManager.default.removeItem(at: content)
    try bytes.write(to: content)
    let names = content.deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "names")
    for name in try FileManager.default.contentsOfDirectory(atPath: names.path) {
      let place = names.appending(path: name)
      var note = try JSONDecoder().decode(FileNote.self, from: Data(contentsOf: place))
      guard note.sha256 == content.lastPathComponent else { continue }
      note.bytes -= 1
      try JSONEncoder().encode(note).write(to: place)
    }
  }
}
