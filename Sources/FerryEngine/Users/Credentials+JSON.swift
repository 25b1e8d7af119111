// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

extension Credentials {
  /// The form in a file.
  var json: [UInt8] {
    var members: [String: FerryModel.Value] = [:]
    members["server"] = server.map { .string($0) }
    members["anonymousId"] = anonymousID.map { .string($0.text) }
    if let user {
      members["objectId"] = .string(user.objectID)
      members["username"] = user.username.map { .string($0) }
      members["email"] = user.email.map { .string($0) }
      members["anonymous"] = user.isAnonymous ? true : nil
      members["sessionToken"] = user.sessionToken.map { .string($0.text) }
    }
    var json = WireJSON(reserving: 256)
    json.write(.object(members))
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// Reads the form in a file; nil where it is another.
  init?(json: Data) {
    let credentials = try? JSONReader().read(json) { root -> Credentials? in
      guard root.kind == .object else { return nil }
      func text(_ key: StaticString) -> String? { root[key]?.string }
      var user: ParseUser?
      if let objectID = text("objectId"), !objectID.isEmpty {
        // A user without a token would sync as nobody.
        guard let token = text("sessionToken"), !token.isEmpty else { return nil }
        user = ParseUser(
          objectID: objectID, username: text("username"), email: text("email"),
          isAnonymous: root["anonymous"]?.boolean ?? false, sessionToken: Secret(token))
      }
      return Credentials(
        server: text("server"), user: user, anonymousID: text("anonymousId").map { Secret($0) })
    }
    guard let credentials else { return nil }
    self = credentials
  }
}
