// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation
import LoopbackParse

/// The server of a world: the double, called directly, whose commits go to the oracle.
final class SimulatedServer: @unchecked Sendable {
  private var backend: LoopbackBackend
  let url: URL
  private let committed: (LoopbackCommit, _ device: Int?) -> Void

  init(
    _ settings: WorldSettings, seed: UInt64, clock: SimulatedClock,
    committed: @escaping (LoopbackCommit, _ device: Int?) -> Void
  ) {
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = settings.allowsCustomIDs
    configuration.maxLimit = settings.maxLimit
    configuration.brokenBatch = settings.brokenBatch
    configuration.keepsCommits = true
    configuration.seed = seed
    configuration.now = { clock.date }
    backend = LoopbackBackend(configuration)
    url = URL(string: backend.publicURL) ?? URL(filePath: "/")
    self.committed = committed
  }

  /// Answers a request; `device` is the device that waits for the answer, if one does.
  func answer(_ request: LoopbackRequest, to device: Int? = nil) -> LoopbackResponse {
    defer { publish(device) }
    return backend.answer(request)
  }

  /// Whatever the server's owner may do.
  func change(_ body: (inout LoopbackBackend) throws -> Void) rethrows {
    defer { publish(nil) }
    try body(&backend)
  }

  func rows(of className: String) -> [LoopbackValue] { backend.objects(of: className) }

  /// The requests that would harm a real server.
  var violations: [String] { backend.violations.map(\.description) }

  private func publish(_ device: Int?) {
    let commits = backend.commits
    guard !commits.isEmpty else { return }
    backend.commits = []
    for commit in commits { committed(commit, device) }
  }
}
