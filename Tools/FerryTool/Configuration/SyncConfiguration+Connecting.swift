// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

extension SyncConfiguration {
  /// The server with the keys of the key files, in the session of the folder's user.
  ///
  /// - Parameters:
  ///   - place: The folder of `ferry.json`; relative paths start there.
  ///   - warn: Receives a sentence for each file that others can read.
  /// - Returns: The server, and whether a user is logged in.
  /// - Throws: The failure of the command.
  func connection(
    in place: Workspace, warn: (String) -> Void
  ) throws(Failure) -> (server: ParseServer, hasSession: Bool) {
    let server = try serverWithoutSession(in: place, warn: warn)
    let token =
      if let path = keyFiles[.sessionToken] {
        Secret(try Self.text(of: KeyFile(.sessionToken, path: path, in: place.folder), warn))
      } else {
        try place.readCredentials(of: server).user?.sessionToken
      }
    return (server.inSession(of: token), token != nil)
  }

  /// The server with the keys of the key files, read now, and nobody's session.
  func serverWithoutSession(
    in place: Workspace, warn: (String) -> Void
  ) throws(Failure) -> ParseServer {
    var keys: [ParseServer.Key] = []
    for (role, key) in [
      (KeyRole.restKey, ParseServer.Key.rest), (.masterKey, ParseServer.Key.master),
    ] {
      guard let path = keyFiles[role] else { continue }
      keys.append(key(try Self.text(of: KeyFile(role, path: path, in: place.folder), warn)))
    }
    let server = ParseServer(url: server, applicationID: applicationID, keys: keys)
    do {
      try server.validate()
    } catch {
      throw Failure(error)
    }
    return server
  }

  private static func text(
    of file: KeyFile, _ warn: (String) -> Void
  ) throws(Failure) -> String {
    let text = try file.text()
    if let warning = file.warning { warn(warning) }
    return text
  }
}

extension Workspace {
  /// The credentials of the folder's user, which must be those of `server`; nil for any server.
  func readCredentials(of server: ParseServer?) throws(Failure) -> Credentials {
    let kept: Credentials
    do {
      kept = try credentials.read()
    } catch {
      throw Failure(.inputOutput, AccountError.Code.credentials.rawValue, "\(error)")
    }
    guard server.map(kept.belong) ?? true else {
      throw Failure(
        .configuration, AccountError.Code.otherServer.rawValue,
        "credentials.json in \(folder.filePath) has the user of another server, so nothing was sent. Work with this "
          + "server in another --directory. If the server has moved: ferry sync --adopt moved-server"
      )
    }
    return kept
  }
}
