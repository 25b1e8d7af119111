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
  var announcements: [String] {
    ["create \(probe), and to delete it again.\(rest)"]
      + indexes.map { "make \(index(on: $0))." }
  }

  /// The writes that took place, or may have.
  func written(_ findings: ServerExamination) -> [String] {
    (findings.mayHoldProbe ? ["\(probe), and its deletion.\(rest)"] : [])
      + indexes.filter(findings.hasMadeIndex).map { "\(index(on: $0))." }
  }

  private var probe: String {
    "one record of the class \(ServerExamination.probeClass) with an id of its own"
  }

  /// The fate of the class of the probe.
  private var rest: String {
    let name = ServerExamination.probeClass
    if removesClass { return " The class \(name) goes with it." }
    return hasProbeClass
      ? "" : " An empty class \(name) may stay: only the master key can remove it."
  }

  private func index(on className: String) -> String {
    "the index \(ServerExamination.indexName(on: className)) on (updatedAt, objectId) of \(className)"
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
