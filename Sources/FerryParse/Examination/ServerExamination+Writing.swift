// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
import FerryModel
import FerryPlanning
import Foundation

// The two writes of an examination, and what became of them.
extension ServerExamination {
  /// The class of the record that `probe` creates and deletes.
  public static let probeClass = "FerryProbe"

  /// Creates one record of the class `FerryProbe` with an id of its own, and deletes it.
  ///
  /// The server shows that way whether clients may choose object ids. It blocks like `ask`.
  ///
  /// - Parameters:
  ///   - removingClass: Whether to remove the class afterwards; only the master key may, and only an
  ///     empty class goes.
  ///   - transport: The transport that sends the requests.
  ///   - cancellation: The signal that ends the examination early.
  /// - Throws: `HTTPError` with code `cancelled` after a cancellation. The record may then still be
  ///   there: `mayHoldProbe` says so.
  public mutating func probe(
    removingClass: Bool, over transport: any HTTPTransport,
    cancellation: CancellationSignal = CancellationSignal()
  ) throws(HTTPError) {
    let objectID = "ferry" + UUID().uuidString.filter { $0 != "-" }
    try send(.createProbe, transport, cancellation) { requests throws(RequestError) in
      try requests.write(Self.probe(objectID))
    }
    guard mayHoldProbe else { return }
    try send(.deleteProbe, transport, cancellation) { requests throws(RequestError) in
      try requests.write(Self.removal(objectID))
    }
    guard removingClass else { return }
    try send(.removeProbeClass, transport, cancellation) { requests throws(RequestError) in
      try requests.removeClass(Self.probeClass)
    }
  }

  /// Makes an index of a class in the order in which a sync downloads it.
  ///
  /// The server must run on PostgreSQL, and the master key must be sent. It blocks like `ask`.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - transport: The transport that sends the request.
  ///   - cancellation: The signal that ends the examination early.
  /// - Throws: `HTTPError` with code `cancelled` after a cancellation.
  public mutating func makeIndex(
    on className: String, over transport: any HTTPTransport,
    cancellation: CancellationSignal = CancellationSignal()
  ) throws(HTTPError) {
    try send(.makeIndex(className), transport, cancellation) { requests throws(RequestError) in
      try requests.makeIndex(className)
    }
  }

  /// Whether the server created a record under an id that the client chose.
  public var customID: Finding<Void> {
    find(.createProbe) { _ = try $0.write(Self.probe(""), $1) }
  }

  /// Whether the server deleted the record again.
  public var probeRemoval: Finding<Void> {
    find(.deleteProbe) { _ = try $0.write(Self.removal(""), $1) }
  }

  /// Whether the server removed the class of the record.
  public var probeClassRemoval: Finding<Void> {
    find(.removeProbeClass) { _ = try $0.write(Self.removal(""), $1) }
  }

  /// Whether the server made the index of a class.
  public func indexCreation(on className: String) -> Finding<Void> {
    find(.makeIndex(className)) { try $0.read($1) { _ in () } }
  }

  /// Whether the server may have stored the record of `probe`.
  public var mayHoldProbe: Bool {
    switch customID {
    case .answer: true
    case .refused(let error):
      if case .outcomeUnknown = error.meaning { true } else { false }
    case .failed(let error): error.outcome == .unknown
    case .notAsked: false
    }
  }

  /// The name of the index that `makeIndex` makes.
  public static func indexName(on className: String) -> String {
    ParseRequests.indexName(className)
  }

  /// The body of the request that makes the index: a PUT to `schemas/` and the name of the class.
  public static func indexBody(on className: String) -> String {
    ParseRequests.indexBody(className)
  }

  /// Sends one request, and keeps its answer.
  mutating func send(
    _ exchange: Exchange, _ transport: any HTTPTransport, _ cancellation: CancellationSignal,
    _ make: (ParseRequests) throws(RequestError) -> HTTPRequest
  ) throws(HTTPError) {
    let request: HTTPRequest
    do throws(RequestError) {
      request = try make(requests)
    } catch {
      results[exchange] = .failure(HTTPError(unsendable: error))
      return
    }
    let answer = Result { () throws(HTTPError) in
      try DiscreetTransport(transport).send(request, cancellation: cancellation)
    }
    // A cancelled write may still have arrived, so its answer is kept too.
    results[exchange] = answer
    try note(answer, of: exchange)
  }

  private static func probe(_ objectID: String) -> WriteOperation {
    .create(
      className: probeClass, body: ["objectId": .string(objectID), "madeBy": "ferry doctor"])
  }

  private static func removal(_ objectID: String) -> WriteOperation {
    .delete(className: probeClass, objectID: objectID)
  }
}
