// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import Foundation

/// What `ferry doctor --write` writes to a server, named before it is sent.
struct ServerWrites {
  var server: ParseServer
  /// The classes to make an index for.
  var indexes: [String]
  /// Whether the class of the probe is there already.
  var hasProbeClass: Bool

  static let probeClass = "FerryProbe"

  static func probe(_ objectID: String) -> WriteOperation {
    .create(
      className: probeClass, body: ["objectId": .string(objectID), "madeBy": "ferry doctor"])
  }

  static func removal(_ objectID: String) -> WriteOperation {
    .delete(className: probeClass, objectID: objectID)
  }

  private var removesClass: Bool { server.usesMasterKey && !hasProbeClass }

  /// A line for each thing that is written.
  var announcements: [String] { [probeAnnouncement] + indexes.map(announcement) }

  /// The writes that took place, or may have.
  func written(_ answers: ServerAnswers) -> [String] {
    (mayBeThere(answers) ? [probeAnnouncement] : [])
      + indexes.filter(answers.hasMadeIndex).map(announcement)
  }

  private var probeAnnouncement: String {
    let probe =
      "one record of the class \(Self.probeClass), with an id of its own, and its deletion"
    if removesClass { return "\(probe), and that of the class." }
    if hasProbeClass { return "\(probe)." }
    return
      "\(probe). An empty class \(Self.probeClass) may stay: only the master key can remove it."
  }

  private func announcement(ofIndex className: String) -> String {
    "the index \(ParseRequests.indexName(className)) on (updatedAt, objectId) of \(className)."
  }

  /// Sends them, one after another, and notes the answers.
  ///
  /// - Throws: The error of a cancelled request.
  func run(
    _ transport: any HTTPTransport, _ cancellation: CancellationSignal,
    into answers: inout ServerAnswers
  ) throws {
    let requests = ParseRequests(server)
    let objectID = "ferry" + UUID().uuidString.filter { $0 != "-" }
    func send(_ question: ServerAnswers.Question, _ request: HTTPRequest) {
      answers.results[question] = Result { () throws(HTTPError) in
        try transport.send(request, cancellation: cancellation)
      }
    }
    send(.createProbe, try requests.write(Self.probe(objectID)))
    if mayBeThere(answers) {
      send(.deleteProbe, try requests.write(Self.removal(objectID)))
      if removesClass { send(.removeProbeClass, try requests.removeClass(Self.probeClass)) }
    }
    for name in indexes { send(.makeIndex(name), try requests.makeIndex(name)) }
    for case .failure(let error) in answers.results.values where error.code == .cancelled {
      throw error
    }
  }

  /// Whether the probe's record may have been stored.
  private func mayBeThere(_ answers: ServerAnswers) -> Bool {
    switch answers.read(.createProbe, { try $0.write(Self.probe(""), $1) }) {
    case .answer: true
    case .refused(let error):
      if case .outcomeUnknown = error.meaning { true } else { false }
    case .failed(let error): error.outcome == .unknown
    case .notAsked: false
    }
  }
}
