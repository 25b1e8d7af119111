// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import Foundation

extension Configuration {
  /// The server with the keys of the key files, read now; `warn` receives files that others may read.
  func connection(in folder: URL, warn: (String) -> Void) throws -> ParseServer {
    var secrets: [KeyFile.Role: Secret] = [:]
    for role in KeyFile.Role.allCases {
      guard let path = keyFiles[role] else { continue }
      let file = KeyFile(role, path: path, in: folder)
      secrets[role] = try file.secret()
      if let warning = file.warning { warn(warning) }
    }
    let keys = [
      secrets[.restKey].map { ParseServer.Key.rest($0.text) },
      secrets[.masterKey].map { ParseServer.Key.master($0.text) },
    ]
    let token = secrets[.sessionToken]
    let server = ParseServer(
      url: server, applicationID: applicationID, keys: keys.compactMap { $0 },
      sessionToken: { token })
    try server.validate()
    return server
  }
}
