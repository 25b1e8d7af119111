// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

extension SyncConfiguration {
  /// The server with the keys of the key files, read now; `warn` receives files that others may read.
  func connection(in folder: URL, warn: (String) -> Void) throws(Failure) -> ParseServer {
    var secrets: [KeyRole: String] = [:]
    for role in KeyRole.allCases {
      guard let path = keyFiles[role] else { continue }
      let file = KeyFile(role, path: path, in: folder)
      secrets[role] = try file.text()
      if let warning = file.warning { warn(warning) }
    }
    let keys = [
      secrets[.restKey].map { ParseServer.Key.rest($0) },
      secrets[.masterKey].map { ParseServer.Key.master($0) },
    ]
    let token = secrets[.sessionToken].map { Secret($0) }
    let server = ParseServer(
      url: server, applicationID: applicationID, keys: keys.compactMap { $0 }
    )
    .inSession(of: token)
    do {
      try server.validate()
    } catch {
      throw Failure(error)
    }
    return server
  }
}
