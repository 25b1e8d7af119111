// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryTestSupport
import LoopbackParse
import Testing

@testable import FerryEngine

// The results of a download.
extension StageBench {
  /// The paths of all requests so far.
  var paths: [String] { network.exchanges.map(\.path) }

  func staged(_ className: String = "Game") throws -> StagedListing? {
    try StagingArea(folder: staging).listing(of: className)
  }

  /// Expects the same games locally and on the server.
  func expectAllLocal(location: SourceLocation = #_sourceLocation) throws {
    let remote = try server.rows(of: "Game")
      .mapValues { $0["score"]?.number.map { Value.integer(Int64($0)) } }
    let local = try games().mapValues { row -> Value? in
      row["score"] == .null ? nil : row["score"]
    }
    #expect(local == remote, sourceLocation: location)
  }
}
