// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The wall time of a step's parts, which the step leaves in a file for the program that measures it.
struct BenchmarkParts: Codable {
  private(set) var seconds: [String: Double] = [:]

  /// Does a part of the work, and adds its time.
  mutating func time<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try body()
    add(.now - start, name)
    return result
  }

  /// Waits for a part of the work, and adds its time.
  mutating func time<Result>(
    _ name: String, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let start = ContinuousClock.now
    let result = try await body()
    add(.now - start, name)
    return result
  }

  private mutating func add(_ duration: Duration, _ name: String) {
    seconds[name, default: 0] += duration / .seconds(1)
  }

  /// Tells the median and the 99th percentile of some times, and the longest.
  mutating func tell(_ times: [Duration], _ name: String) {
    let sorted = times.sorted()
    guard let longest = sorted.last else { return }
    let figures = [("median", sorted[sorted.count / 2]), ("p99", sorted[sorted.count * 99 / 100])]
    for (figure, time) in figures + [("longest", longest)] {
      seconds["\(name): \(figure)"] = time / .seconds(1)
    }
  }

  /// Adds the time of each stage of a sync.
  mutating func add(_ report: SyncReport, _ place: String) {
    for stage in report.stages {
      seconds["\(place): \(stage.stage.rawValue)", default: 0] += stage.seconds
    }
  }

  /// Reads what a step left.
  init(file: URL) throws {
    seconds = try JSONDecoder().decode([String: Double].self, from: Data(contentsOf: file))
  }

  init() {}

  func write(to file: URL) throws { try JSONEncoder().encode(seconds).write(to: file) }
}
