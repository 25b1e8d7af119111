// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import Foundation

extension ParseServer {
  /// The address of the server's live queries where it has no other: the server answers there under each path.
  package var liveQueryAddress: URL? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.host != nil
    else {
      return nil
    }
    parts.scheme = parts.scheme?.lowercased() == "http" ? "ws" : "wss"
    return parts.url
  }

  /// The first message of a client, with the app's keys and the session.
  package var liveQueryGreeting: String {
    var members: [String: Value] = ["op": "connect", "applicationId": .string(applicationID)]
    for key in keys { members[key.nameInLiveQueries] = .string(key.secret.headerText) }
    if let token = session.token?.headerText, !token.isEmpty {
      members["sessionToken"] = .string(token)
    }
    return WireJSON.text(.object(members))
  }
}

extension ParseServer.Key {
  /// The member of the first message that has the key.
  fileprivate var nameInLiveQueries: String {
    switch header {
    case "X-Parse-REST-API-Key": "restAPIKey"
    case "X-Parse-Javascript-Key": "javascriptKey"
    case "X-Parse-Client-Key": "clientKey"
    case "X-Parse-Windows-Key": "windowsKey"
    default: "masterKey"
    }
  }
}
