// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP

extension ParseRequests {
  /// Removes a file; needs the master key.
  package func remove(fileNamed name: String) -> HTTPRequest {
    request(.delete, ParsePath(ofFileNamed: name), nil, isWrite: true)
  }

  /// Asks for the head of a file alone: whether the server has it, and its size.
  package func head(ofFileNamed name: String) -> HTTPRequest {
    var request = request(
      .head, ParsePath(ofFileNamed: "\(server.applicationID)/\(name)"), nil, isWrite: false)
    request.headers["Content-Type"] = nil
    return request
  }

  /// Sends a file; the server adds digits to the name.
  ///
  /// - Parameters:
  ///   - name: A name that the server takes, as `FileName.isSendable(_:)` says.
  ///   - type: The media type.
  ///   - source: The bytes.
  /// - Returns: The request.
  /// - Throws: `RequestError` for another name.
  package func upload(
    _ name: String, type: String, _ source: any HTTPBodySource
  ) throws(RequestError) -> HTTPRequest {
    var request = request(.post, try ParsePath(fileNamed: name), nil, isWrite: true)
    request.headers["Content-Type"] = type
    request.source = source
    return request
  }
}
