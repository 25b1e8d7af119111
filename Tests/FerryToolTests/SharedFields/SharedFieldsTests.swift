// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import Testing

/// Two devices and an app with Parse's JavaScript SDK share counters, sets, relations and files.
///
/// The devices run `ferry` as processes, which are killed; a proxy loses their requests and answers, or lets them arrive
/// late. `FERRY_SHARED_FIELDS_SEEDS`, such as `10-59`, sets the seeds for each server.
@Suite(
  .timeLimit(.minutes(60)),
  .enabled(
    if: RealServer.script != nil && RealServer.modules != nil,
    "Parse's JavaScript SDK is not installed: Tools/RealServer/start says why."))
struct SharedFieldsTests {
  private static let seeds: [(TestServer.Kind, UInt64)] = {
    let asked = ProcessInfo.processInfo.environment["FERRY_SHARED_FIELDS_SEEDS"] ?? "1-1"
    let bounds = asked.split(separator: "-").compactMap { UInt64($0) }
    guard bounds.count == 2, bounds[0] <= bounds[1] else { return [] }
    return TestServer.Kind.all.flatMap { kind in (bounds[0]...bounds[1]).map { (kind, $0) } }
  }()

  @Test(arguments: seeds)
  func `no edit is lost or doubled, and every counter is exact`(
    on kind: TestServer.Kind, seed: UInt64
  ) async throws {
    let world = try await SharedFieldsWorld(kind, seed: seed)
    for _ in 0..<40 { try await world.step() }
    try await world.comeToRest()
    try await world.check()
  }
}
