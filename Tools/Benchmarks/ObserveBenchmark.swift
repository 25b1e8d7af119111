// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// An observation of 1,000 rows in a store with many rows, and commits that change them.
struct ObserveBenchmark: Benchmark {
  private static let commits = 200
  /// Ten seconds of commits.
  private static let load = 1000

  private let subject: BenchmarkSubject
  private let place = BenchmarkPlace(
    folder: BenchmarkPlace.temporaryFolder(), server: "http://127.0.0.1:1")

  var limitName: String? { subject == .observeLoad ? "without an observation" : nil }

  init(_ subject: BenchmarkSubject, records: Int) throws {
    self.subject = subject
    try BenchmarkStep(.fill, at: place, records).measured()
  }

  func measureFerry(_ round: Int) throws -> Measurement {
    switch subject {
    case .observeLoad: return try BenchmarkStep(.observeLoad, at: place, Self.load).measured()
    case .observeProcess: return try measured(.observeProcess)
    default: return try measured(.observe)
    }
  }

  func measureLimit(_ round: Int) throws -> Measurement? {
    guard subject == .observeLoad else { return nil }
    return try BenchmarkStep(.commitLoad, at: place, Self.load).measured()
  }

  func end() { try? place.remove() }

  private func measured(_ step: BenchmarkStep.Name) throws -> Measurement {
    var measurement = try BenchmarkStep(step, at: place, Self.commits).measured()
      .divided(by: Self.commits)
    measurement.parts = try BenchmarkParts(file: place.parts).seconds
    return measurement
  }
}
