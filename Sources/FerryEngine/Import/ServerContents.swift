// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse

/// The contents of a server's files, as far as they are on this device.
struct ServerContents {
  /// The sum of the content of a file; nil if it is not here.
  let sum: (File) -> String?
  /// The server's identity.
  let server: String
}

extension StageContext {
  var serverContents: ServerContents {
    ServerContents(sum: { [files, server] in files.sum($0, server) }, server: server.identity)
  }
}
