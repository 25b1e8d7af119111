// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import Foundation

/// Where the content of a file is, and whether keys may go there.
struct FileAddress: Hashable, Sendable {
  var url: URL
  /// Whether the address is one of the server's files, and every address on the way there was.
  var isOwn: Bool

  /// The address of a file; nil if it has none that a request can be sent to.
  ///
  /// A record that came from the server names the address. A file that the app names has the server's usual one.
  init?(of file: File, on server: ParseServer) {
    guard let text = file.url else {
      guard let url = server.fileURL(named: file.name) else { return nil }
      self.url = url
      isOwn = true
      return
    }
    guard let url = URL(string: text), url.isWeb else { return nil }
    self.url = url
    isOwn = url.isFile(of: server)
  }

  private init(url: URL, isOwn: Bool) {
    self.url = url
    self.isOwn = isOwn
  }

  /// The address to which the server redirects; nil if it is none.
  ///
  /// Keys do not come back once an address of another server was among them.
  func redirected(to location: String, server: ParseServer) -> FileAddress? {
    guard let target = URL(string: location, relativeTo: url)?.absoluteURL, target.isWeb,
      // An answer over an encrypted connection must not lead to one that everybody can read and change.
      url.scheme?.lowercased() == "http" || target.scheme?.lowercased() == "https"
    else { return nil }
    return FileAddress(url: target, isOwn: isOwn && target.isFile(of: server))
  }
}

extension ParseServer {
  /// The address under which this server gives a file.
  fileprivate func fileURL(named name: String) -> URL? {
    let parts = ["files", applicationID] + name.split(separator: "/").map(String.init)
    var text = url.absoluteString
    while text.hasSuffix("/") { text.removeLast() }
    for part in parts {
      guard let coded = part.addingPercentEncoding(withAllowedCharacters: .urlPathSegment),
        part != "..", part != "."
      else { return nil }
      text += "/" + coded
    }
    return URL(string: text)
  }
}

extension URL {
  fileprivate var isWeb: Bool {
    ["http", "https"].contains(scheme?.lowercased()) && host()?.isEmpty == false
  }

  /// Whether the address has the scheme, host and port of the server, and lies below the server's files.
  fileprivate func isFile(of server: ParseServer) -> Bool {
    origin == server.url.origin
      && path(percentEncoded: true).hasPrefix(server.mountPath + "/files/")
      && !path(percentEncoded: false).split(separator: "/").contains("..")
  }

  private var origin: [String] {
    let scheme = scheme?.lowercased() ?? ""
    return [scheme, host()?.lowercased() ?? "", String(port ?? (scheme == "https" ? 443 : 80))]
  }
}

extension CharacterSet {
  fileprivate static let urlPathSegment = CharacterSet.urlPathAllowed.subtracting(
    CharacterSet(charactersIn: "/;"))
}
