// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import FerryModel

extension ParseResponses {
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
