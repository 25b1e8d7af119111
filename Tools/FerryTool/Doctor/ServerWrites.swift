// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// What `ferry doctor --write` writes to a server, named before it is sent.
struct ServerWrites {
  var server: ParseServer
  /// The classes to make an index for.
  var indexes: [String]
  /// Whether the class of the probe is there already.
  var hasProbeClass: Bool

  private var removesClass: Bool { server.usesMasterKey && !hasProbeClass }

  /// A line for each thing that is written.
  var announcements: [String] { [probeAnnouncement] + indexes.map(announcement) }

  /// The writes that took place, or may have.
  func written(_ findings: ServerExamination) -> [String] {
    (findings.mayHoldProbe ? [probeAnnouncement] : [])
      + indexes.filter(findings.hasMadeIndex).map(announcement)
  }

  private var probeAnnouncement: String {
    let probe =
      "one record of the class \(ServerExamination.probeClass), with an id of its own, and its deletion"
    if removesClass { return "\(probe), and that of the class." }
    if hasProbeClass { return "\(probe)." }
    return
      "\(probe). An empty class \(ServerExamination.probeClass) may stay: only the master key can remove it."
  }

  private func announcement(ofIndex className: String) -> String {
    "the index \(ServerExamination.indexName(on: className)) on (updatedAt, objectId) of \(className)."
  }

  /// Sends them, one after another, and keeps the answers.
  ///
  /// - Throws: The error of a cancelled request.
  func run(
    _ transport: any HTTPTransport, _ cancellation: CancellationSignal,
    into findings: inout ServerExamination
  ) throws(Failure) {
    do {
      try findings.probe(
        removingClass: removesClass, over: transport, cancellation: cancellation)
      for name in indexes {
        try findings.makeIndex(on: name, over: transport, cancellation: cancellation)
      }
    } catch {
      throw Failure(error)
    }
  }
}
