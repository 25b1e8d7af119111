// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryStore
import Foundation
import Synchronization

/// Compares the files that fields name with those of the server and of the folder; blocks the calling thread.
///
/// Of a file of the server itself it asks for the head (`HEAD`). Another host is asked for the first byte, because an address
/// of a storage service may be signed for `GET` alone.
struct FileComparing {
  static let pageSize = 500

  let folder: FileFolder
  /// The server in the session of this moment.
  let server: ParseServer
  let transport: any HTTPTransport
  let terms: FileTerms
  let cancellation: CancellationSignal
  let onDifference: @Sendable (FileDifference) -> Void
  private(set) var result = FileComparison()
  /// The findings about each file that was asked for.
  private var known: [File: FileFinding] = [:]

  init(
    _ folder: FileFolder, _ server: ParseServer, _ transport: any HTTPTransport, _ terms: FileTerms,
    _ cancellation: CancellationSignal, _ onDifference: @escaping @Sendable (FileDifference) -> Void
  ) {
    (self.folder, self.server, self.transport, self.terms) = (folder, server, transport, terms)
    (self.cancellation, self.onDifference) = (cancellation, onDifference)
  }

  /// Compares the files of a page of rows.
  mutating func compare(_ rows: [Record], fields: [String]) throws(FileError) {
    var places: [(row: RecordReference, field: String, file: File)] = []
    for row in rows {
      for field in fields {
        guard case .file(let file) = row[field] else { continue }
        places.append((row.reference, field, file))
      }
    }
    try ask(for: places.map(\.file))
    for place in places {
      guard let finding = known[place.file], let kind = finding.kind else { continue }
      onDifference(
        FileDifference(
          kind: kind, row: place.row, field: place.field, file: place.file,
          bytesThere: finding.bytesThere, bytesHere: finding.bytesHere))
    }
  }

  /// Finds out about files of which nothing is known yet.
  private mutating func ask(for files: [File]) throws(FileError) {
    var asked: [(file: File, address: FileAddress)] = []
    var new = Set<File>()
    for file in files where known[file] == nil && new.insert(file).inserted {
      result.files += 1
      let kept =
        file.unsent.map { folder.kept($0) } ?? folder.kept(FileFolder.key(of: file, on: server))
      if kept != nil { result.here += 1 }
      var finding = FileFinding(bytesHere: kept?.bytes)
      if file.isUnsent {
        finding.kind = kept == nil ? .contentMissing : nil
      } else if let address = FileAddress(of: file, on: server) {
        asked.append((file, address))
      } else {
        finding.kind = .undecided
      }
      known[file] = finding
    }
    guard !asked.isEmpty else { return }
    let requests = asked.map { request(for: $0.address) }
    result.requests += requests.count
    let answers = DiscreetTransport(transport).sendAll(requests, cancellation: cancellation)
    guard !cancellation.isCancelled else { throw .cancelled }
    for ((file, _), (request, answer)) in zip(asked, zip(requests, answers)) {
      let head = (request.receiver as? FileHeadReceiver)?.head
      known[file]?.note(head.map { .success($0) } ?? answer)
    }
  }

  private func request(for address: FileAddress) -> HTTPRequest {
    var headers = address.isOwn ? server.headers() : HTTPHeaders()
    headers["Content-Type"] = nil
    headers["Accept-Encoding"] = "identity"
    if !address.isOwn { headers["Range"] = "bytes=0-0" }
    var request = HTTPRequest(
      address.isOwn ? .head : .get, address.url, headers: headers,
      limits: HTTPLimits(timeout: terms.timeout))
    if !address.isOwn { request.receiver = FileHeadReceiver() }
    return request
  }
}

/// Ends an exchange at the head of the answer: a server may give the whole file for a range of one byte.
private final class FileHeadReceiver: HTTPBodyReceiver {
  private let known = Mutex<HTTPResponse?>(nil)

  /// The status and the header fields of the answer, if the exchange ended there.
  var head: HTTPResponse? { known.withLock { $0 } }

  func takesBody(status: Int, headers: HTTPHeaders) -> Bool {
    known.withLock { $0 = HTTPResponse(status: status, headers: headers, body: Data()) }
    return true
  }

  func take(_ part: UnsafeRawBufferPointer) -> Bool { false }
}

/// The findings about a file.
private struct FileFinding {
  var kind: FileDifference.Kind?
  var bytesThere: Int?
  var bytesHere: Int?

  init(bytesHere: Int?) { self.bytesHere = bytesHere }

  mutating func note(_ answer: Result<HTTPResponse, HTTPError>) {
    guard case .success(let response) = answer else { return kind = .undecided }
    switch response.status {
    case 200: bytesThere = response.headers["Content-Length"].flatMap(Int.init)
    case 206:
      bytesThere = response.headers["Content-Range"]?.split(separator: "/").last.flatMap { Int($0) }
    case 404, 410: return kind = .missingThere
    default: return kind = .undecided
    }
    if let bytesHere, let bytesThere, bytesHere != bytesThere { kind = .otherSize }
  }
}
