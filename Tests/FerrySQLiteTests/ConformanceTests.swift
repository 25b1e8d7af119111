// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// The SQLite store keeps the promises of the port.
@Suite(.timeLimit(.minutes(5)))
struct ConformanceTests {
  @Test(arguments: StoreConformance.allChecks)
  func keepsThePromise(_ check: StoreCheck) async throws {
    let folder = try TemporaryFolder()
    try await check.run { schema in
      try SQLiteStore(at: folder.url.appending(path: "\(UUID()).sqlite"), schema: schema)
    }
  }
}
