// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel

extension ParseResponses {
  /// Whether an answer to the removal of a file says that the server does not have it.
  package func isFileGone(_ result: Result<HTTPResponse, HTTPError>) -> Bool {
    guard case .success(let response) = result else { return false }
    // The server has no such file.
    return (200...299).contains(response.status)
      || ParseError(response, to: .write, reader: json).code?.rawValue == 153
  }

  /// The file that the server made of an upload.
  package func uploaded(_ response: HTTPResponse) throws(ParseError) -> File {
    try answer(response, to: .write) { root in
      guard let name = root["name"]?.string, let url = root["url"]?.string, !name.isEmpty,
        !url.isEmpty, !File(name: name).isUnsent
      else { return nil }
      return File(name: name, url: url)
    }
  }
}
