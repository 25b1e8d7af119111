// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
public import Foundation

/// The Parse Server to sync with, and the user to sync as.
///
/// ```swift
/// let server = ParseServer(
///   url: URL(string: "https://parse.example.com/1")!, applicationID: "demo", key: .rest("secret"))
/// ```
///
/// Making one sends nothing. A sync refuses an unusable address when it starts.
public struct ParseServer: Sendable {
  /// A key that allows an app to use the server; the server's configuration says which keys it
  /// needs.
  public struct Key: Sendable, Equatable {
    let header: String
    let secret: Secret

    /// The REST key.
    public static func rest(_ key: String) -> Key { Key("X-Parse-REST-API-Key", key) }
    /// The JavaScript key.
    public static func javascript(_ key: String) -> Key { Key("X-Parse-Javascript-Key", key) }
    /// The client key.
    public static func client(_ key: String) -> Key { Key("X-Parse-Client-Key", key) }
    /// The .NET key.
    public static func dotNet(_ key: String) -> Key { Key("X-Parse-Windows-Key", key) }
    /// The master key, which overrides every permission; for tools, never for an app.
    public static func master(_ key: String) -> Key { Key("X-Parse-Master-Key", key) }

    private init(_ header: String, _ key: String) {
      self.header = header
      secret = Secret(key)
    }
  }

  /// The address where the server is mounted, for example `https://parse.example.com/1`.
  public var url: URL
  /// The application's id.
  public var applicationID: String
  /// The keys to send; usually one, or none.
  public var keys: [Key]
  /// Gives the token of the user who is logged in, or nil for nobody; without it nobody is logged in.
  ///
  /// A run asks once, before its first request, and waits for the answer up to `SyncOptions.sessionTimeout`. It uses
  /// that token to its end; a user who logs in meanwhile counts from the next run on. If the closure throws, the run
  /// ends with `sessionUnavailable`, and nothing has been sent.
  ///
  /// `ParseAccounts.server` has this closure. Give your own where the app keeps tokens otherwise.
  public var sessionToken: (@Sendable () async throws -> Secret?)?
  /// Gives a new token for a session that has ended, or nil where the user has to log in.
  ///
  /// A run asks at most once: when the server refuses the token at its beginning, before any data moves. The new token
  /// must be the same user's, as always. If the closure gives none, the run ends with `loginNeeded`; if it throws or is
  /// late, with `sessionUnavailable`. A session that ends later ends the run, and the next one asks.
  public var renewSession: (@Sendable (_ ended: Secret) async throws -> Secret?)?
  /// The session of the requests.
  package var session = RequestSession { nil }

  /// Describes a server and one key.
  ///
  /// - Parameters:
  ///   - url: The address where the server is mounted, without query or fragment.
  ///   - applicationID: The application's id.
  ///   - key: The key to send, if the server requires one.
  ///   - sessionToken: Gives the token of the user who is logged in.
  public init(
    url: URL, applicationID: String, key: Key? = nil,
    sessionToken: (@Sendable () async throws -> Secret?)? = nil
  ) {
    self.init(
      url: url, applicationID: applicationID, keys: key.map { [$0] } ?? [],
      sessionToken: sessionToken)
  }

  /// Describes a server and any number of keys, such as a REST key and the master key.
  ///
  /// - Parameters:
  ///   - url: The address where the server is mounted, without query or fragment.
  ///   - applicationID: The application's id.
  ///   - keys: The keys to send.
  ///   - sessionToken: Gives the token of the user who is logged in.
  public init(
    url: URL, applicationID: String, keys: [Key],
    sessionToken: (@Sendable () async throws -> Secret?)? = nil
  ) {
    self.url = url
    self.applicationID = applicationID
    self.keys = keys
    self.sessionToken = sessionToken
  }

  /// Whether requests carry the master key, which overrides every permission.
  public var usesMasterKey: Bool { keys.contains { $0.header == "X-Parse-Master-Key" } }
}

extension ParseServer {
  /// The path of the server, as batches need it; empty for none.
  package var mountPath: String {
    var path = Substring(url.path(percentEncoded: true))
    while path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  /// The identity to which a store is bound: server, mount path and application, but no secret.
  package var identity: String { "\(url.server)\(mountPath)#\(applicationID)" }

  /// The headers of a request, by default with the token of the session.
  package func headers(withSession: Bool = true) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "X-Parse-Application-Id": applicationID, "Content-Type": "application/json",
    ]
    for key in keys { headers[key.header] = key.secret.headerText }
    if withSession, let token = session.token?.headerText, !token.isEmpty {
      headers["X-Parse-Session-Token"] = token
    }
    return headers
  }
}

extension ParseServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows address and application, but no secret.
  public var description: String { identity }

  /// Shows the same as the description.
  public var debugDescription: String { identity }

  /// Shows no content.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
