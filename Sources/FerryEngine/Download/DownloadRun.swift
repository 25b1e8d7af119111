// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// Runs the downloads of all classes at once, on the thread that calls `run`.
final class DownloadRun {
  /// The purpose of a request in flight; numbers are positions in `downloads`.
  private enum Purpose {
    case page(Int)
    /// A page without a count, after the server refused the same query with one.
    case uncountedPage(Int)
    case batch([Int])
  }

  let context: StageContext
  var downloads: [ClassDownload]
  let responses: ParseResponses
  /// A batch was refused, and single requests may not be.
  var suspicion: ParseError?
  /// The classes, by position, that the server shows only to users who are logged in.
  var forUsersOnly: Set<Int> = []
  /// The classes, by position, whose listings have ended and are not imported.
  private var ended: [Int] = []
  private let json: JSONReader
  private var tags = RequestTags<Purpose>()

  init(_ downloads: [ClassDownload], in context: StageContext) {
    self.context = context
    self.downloads = downloads
    responses = ParseResponses()
    json = JSONReader()
  }

  func run() throws(SyncError) {
    let capabilities = try context.state(.capabilities)
    let isBatching = !capabilities.areBatchesBroken(at: context.environment.now())
    let updates = downloads.indices.filter { downloads[$0].isUpdate && isBatching }
    let single = downloads.indices.filter { !updates.contains($0) }
    let size = min(capabilities.batchLimit ?? .max, Self.requestsInBatch)
    var first: [HTTPRequest] = []
    for place in single { first += try ask(place) }
    for group in groups(updates, size: size) { first.append(try ask(group)) }
    try context.transport.run(first, cancellation: context.cancellation) {
      request, result throws(SyncError) in
      try self.context.checkCancellation()
      return try self.completed(request, result)
    }
  }

  private func completed(
    _ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> [HTTPRequest] {
    switch tags.take(request) {
    case .page(let place): try completedPage(place, result)
    case .uncountedPage(let place): try completedPage(place, isUncounted: true, result)
    case .batch(let places): try completedBatch(places, result)
    case nil: []
    }
  }

  private func tagged(_ request: HTTPRequest, _ purpose: Purpose) -> HTTPRequest {
    tags.tagged(request, purpose)
  }
}

extension DownloadRun {
  // MARK: One class

  /// The request of a class's next page; none if its listing has come to rest.
  ///
  /// - Parameters:
  ///   - place: The class.
  ///   - isUncounted: Whether the response shows that the server refuses nothing but the count.
  /// - Returns: At most one request.
  /// - Throws: The error that ends the run: the request cannot be written.
  func ask(_ place: Int, isUncounted: Bool = false) throws(SyncError) -> [HTTPRequest] {
    let download = downloads[place]
    guard let query = download.query else { return [] }
    let request = try context.request(query, of: download.entity.name)
    return [tagged(request, isUncounted ? .uncountedPage(place) : .page(place))]
  }

  private func completedPage(
    _ place: Int, isUncounted: Bool = false, _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> [HTTPRequest] {
    let response: HTTPResponse
    do {
      response = try result.get()
    } catch {
      guard error.code == .tooLarge else { throw SyncError(error) }
      if downloads[place].halveLimit() { return try ask(place, isUncounted: isUncounted) }
      try fail(
        place,
        "\(error.happening ?? error.message) It holds a single record. Make the record smaller on the "
          + "server; then sync again.")
      return []
    }
    do {
      try responses.checkPage(response)
    } catch {
      return try refused(place, error)
    }
    try singleRequestWorked()
    if isUncounted { try noteCountRefusal(of: place) }
    return try take(response.body, from: response, place)
  }

  /// Stages a page and requests the next one; an unreadable page fails its class.
  func take(
    _ page: Data, from response: HTTPResponse, _ place: Int, classCount: Int? = nil
  ) throws(SyncError) -> [HTTPRequest] {
    let outline: PageOutline
    let wanted = try downloads[place].wanted(on: page)
    let ids: [String]
    do {
      outline = try PageOutline(page, reader: json)
      ids = try wanted.get()
    } catch {
      try fail(place, "The server's answer cannot be read. \(error.message) Try again later.")
      return []
    }
    let action = try downloads[place].take(
      ClassDownload.Response(
        page: page, outline: outline, date: response.date, duration: response.duration,
        classCount: classCount, wanted: ids))
    switch action {
    case .query:
      try importEnded()
      return try ask(place)
    case .complete:
      if downloads[place].hasFailed { try context.recover(downloads[place].entity.name) }
      if downloads[place].segments.hasHidden { try note(hiddenRowsOf: place) }
      ended.append(place)
      try importEnded()
      return []
    case .stop(.hidden(let count)): return try foundHidden(count, place)
    case .stop(.endless(let counted)):
      try fail(
        place,
        "The server counts \(counted.counted("row")) and gives far more of them, without an end. Nothing of "
          + "this download is kept. Look at what stands between, and at triggers; then sync again.")
      return []
    case .stop(.uncounted(let listed)):
      try fail(
        place,
        "The server counts no records and gave \(listed), perhaps without an end. Nothing of this "
          + "download is kept. If the class has that many records, allow it to be counted, or raise "
          + "the limit for records that are not counted. Otherwise look at what stands between, and "
          + "at triggers. Then sync again.")
      return []
    case .stop(.disordered):
      try fail(
        place,
        "The server's answers are not in the order that was asked for, or repeat themselves; "
          + "something between may be keeping old answers. Look at what stands between, then sync again."
      )
      return []
    }
  }

  /// Lets listings that have ended be imported, as long as another class has pages to come.
  private func importEnded() throws(SyncError) {
    guard !ended.isEmpty, downloads.contains(where: \.awaitsPage) else { return }
    for place in ended { try downloads[place].importAtEnd() }
    ended = []
  }

  func fail(
    _ place: Int, isForbidden: Bool = false, _ reason: String
  ) throws(SyncError) {
    let name = downloads[place].entity.name
    try context.fail(
      name, isForbidden: isForbidden,
      "\(name) could not be downloaded. Its local rows stay as they are. \(reason)")
  }
}

extension DownloadRun {
  // MARK: Many classes at once

  /// The greatest number of requests in a batch: 50 classes with their counts.
  private static let requestsInBatch = 100

  private func queries(_ places: [Int]) -> [(className: String, query: ParseQuery)] {
    places.flatMap { place in
      [downloads[place].query, downloads[place].classCountQuery].compactMap(\.self)
        .map { (downloads[place].entity.name, $0) }
    }
  }

  /// Groups of classes that fit into one batch; each has at least one class.
  private func groups(_ places: [Int], size: Int) -> [[Int]] {
    var groups: [[Int]] = []
    var room = 0
    for place in places {
      let count = queries([place]).count
      if !groups.isEmpty, count <= room {
        groups[groups.count - 1].append(place)
        room -= count
      } else {
        groups.append([place])
        room = size - count
      }
    }
    return groups
  }

  func ask(_ places: [Int]) throws(SyncError) -> HTTPRequest {
    tagged(try context.request(reading: queries(places)), .batch(places))
  }

  private func completedBatch(
    _ places: [Int], _ result: Result<HTTPResponse, HTTPError>
  ) throws(SyncError) -> [HTTPRequest] {
    let response: HTTPResponse
    do {
      response = try result.get()
    } catch {
      guard error.code == .tooLarge else { throw SyncError(error) }
      if let halves = try split(places) { return halves }
      return try askSingly(places)
    }
    var pages: ArraySlice<Result<Data, ParseError>>
    do {
      pages = try responses.batchPages(response, count: queries(places).count)[...]
    } catch {
      return try refusedBatch(places, error, requestCount: queries(places).count)
    }
    try BatchProbe(context: context).noteProven()
    var next: [HTTPRequest] = []
    for place in places {
      let page = pages.popFirst()
      let count = downloads[place].classCountQuery == nil ? nil : pages.popFirst()
      next += try take(page, counted: count, from: response, place)
    }
    return next
  }

  func askSingly(_ places: [Int]) throws(SyncError) -> [HTTPRequest] {
    var requests: [HTTPRequest] = []
    for place in places { requests += try ask(place) }
    return requests
  }

  /// Takes a class's part of a batch; refused parts are requested singly, which handles the
  /// refusal.
  private func take(
    _ page: Result<Data, ParseError>?, counted: Result<Data, ParseError>?,
    from response: HTTPResponse, _ place: Int
  ) throws(SyncError) -> [HTTPRequest] {
    guard case .success(let page)? = page else { return try ask(place) }
    let count = counted.flatMap { try? PageOutline($0.get(), reader: json).count }
    return try take(page, from: response, place, classCount: count)
  }

  /// The same classes in two batches; nil for a single class.
  func split(_ places: [Int]) throws(SyncError) -> [HTTPRequest]? {
    try RequestSize.halves(of: places)?.map { half throws(SyncError) in try ask(half) }
  }
}
