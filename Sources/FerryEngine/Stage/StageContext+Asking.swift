// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse

extension StageContext {
  /// Makes the requests of this run.
  var requests: ParseRequests {
    ParseRequests(server, limits: HTTPLimits(timeout: options.timeout))
  }

  /// The request of a query about a class.
  func request(
    _ query: ParseQuery, of className: String
  ) throws(SyncError) -> HTTPRequest {
    do {
      return try requests.find(className, query)
    } catch {
      throw SyncError(error)
    }
  }

  /// The request of several queries at once.
  func request(
    reading queries: [(className: String, query: ParseQuery)]
  ) throws(SyncError) -> HTTPRequest {
    do {
      return try requests.batch(reading: queries)
    } catch {
      throw SyncError(error)
    }
  }

  /// The successful response to a read.
  func response(to request: HTTPRequest) throws(ClassError) -> HTTPResponse {
    try Self.checked(
      Result { () throws(HTTPError) in
        try transport.send(request, cancellation: cancellation)
      })
  }

  /// The successful responses to several reads, sent at once, in their order.
  ///
  /// - Throws: The error of the first of them that failed.
  func responses(to requests: [HTTPRequest]) throws(ClassError) -> [HTTPResponse] {
    var responses: [HTTPResponse] = []
    for result in transport.sendAll(requests, cancellation: cancellation) {
      responses.append(try Self.checked(result))
    }
    return responses
  }

  /// The response of an exchange, where it is a success.
  static func checked(
    _ result: Result<HTTPResponse, HTTPError>
  ) throws(ClassError) -> HTTPResponse {
    let response: HTTPResponse
    do {
      response = try result.get()
    } catch {
      throw error.code == .tooLarge ? .failsClass(.tooLarge(error)) : .endsRun(SyncError(error))
    }
    do {
      try ParseResponses().checkPage(response)
    } catch {
      throw ClassError(error)
    }
    return response
  }
}
