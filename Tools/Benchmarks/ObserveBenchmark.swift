// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The time from a commit to the list of an observation of 1,000 rows, the mean of many in one process.
struct ObserveBenchmark: Benchmark {
  private static let commits = 200

  private let place = BenchmarkPlace(
    folder: BenchmarkPlace.temporaryFolder(), server: "http://127.0.0.1:1")

  var limitName: String? { nil }

  /// Makes a store with many rows, of which the observation shows 1,000.
  init(records: Int) throws { try BenchmarkStep(.fill, at: place, records).measured() }

  func measureFerry(_ round: Int) throws -> Measurement {
    var measurement = try BenchmarkStep(.observe, at: place, Self.commits).measured()
    measurement.parts = try BenchmarkParts(file: place.parts).seconds
    return measurement.divided(by: Self.commits)
  }

  func measureLimit(_ round: Int) throws -> Measurement? { nil }

  func end() { try? place.remove() }
}
