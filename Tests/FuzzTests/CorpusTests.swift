// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryFuzz
import Foundation
import Testing

/// The inputs of `Fixtures/fuzz`, in an ordinary build: those that once ended the process, and a few of each kind.
@Suite(.timeLimit(.minutes(5)))
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures/fuzz").standardizedFileURL

  private static func inputs(of target: FuzzTarget) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: target.rawValue), includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `each input of the corpus keeps the laws`(of target: FuzzTarget) throws {
    let inputs = try Self.inputs(of: target)
    #expect((1...20).contains(inputs.count))
    for input in inputs {
      let bytes = try Data(contentsOf: input)
      do {
        try target.check(bytes)
      } catch {
        Issue.record("\(target.rawValue)/\(input.lastPathComponent): \(error)")
      }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `an empty input and one of zeros keep the laws`(of target: FuzzTarget) throws {
    try target.check(Data())
    try target.check(Data(count: 64))
  }
}
