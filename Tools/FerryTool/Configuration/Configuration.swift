// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

/// What `ferry.json` says.
struct Configuration: Sendable {
  var server: URL
  var applicationID: String
  /// Paths of files that hold one secret each, never a secret.
  var keyFiles: [KeyFile.Role: String] = [:]
  var entities: [Entity]

  var schema: Schema { Schema(entities) }
}

extension KeyFile {
  /// The use of a key file.
  enum Role: String, CaseIterable, Sendable {
    case restKey = "restKeyFile"
    case masterKey = "masterKeyFile"
    case sessionToken = "sessionTokenFile"

    var words: String {
      switch self {
      case .restKey: "REST key"
      case .masterKey: "master key"
      case .sessionToken: "session token"
      }
    }
  }
}
