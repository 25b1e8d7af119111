// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
public import Foundation

/// Which Parse Server to talk to, and as whom.
///
/// ```swift
/// let server = ParseServer(
///   url: URL(string: "https://parse.example.com/1")!, applicationID: "demo", key: .rest("secret"))
/// ```
///
/// Nothing is sent by making one. An address that cannot be a server's is refused when the sync
/// starts.
public struct ParseServer: Sendable {
  /// Proves the right to use an application; which kinds are needed is set up on the server.
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
    /// The master key, which passes every permission; for tools, never for an app.
    public static func master(_ key: String) -> Key { Key("X-Parse-Master-Key", key) }

    private init(_ header: String, _ key: String) {
      self.header = header
      secret = Secret(key)
    }
  }

  /// Where the server is mounted, for example `https://parse.example.com/1`.
  public var url: URL
  /// The application's id.
  public var applicationID: String
  /// The keys to send; usually one, or none.
  public var keys: [Key]
  /// Gives the token of the user who is logged in, or nil for nobody.
  ///
  /// A sync asks once, before its first request, and goes to its end in the name it began with: whoever
  /// logs in meanwhile is known to the next one. It is asked on the engine's threads.
  public var sessionToken: @Sendable () -> Secret?

  /// Names a server and one key.
  ///
  /// - Parameters:
  ///   - url: Where the server is mounted, without query or fragment.
  ///   - applicationID: The application's id.
  ///   - key: The key to send, if the server asks for one.
  ///   - sessionToken: Gives the token of the user who is logged in.
  public init(
    url: URL, applicationID: String, key: Key? = nil,
    sessionToken: @escaping @Sendable () -> Secret? = { nil }
  ) {
    self.init(
      url: url, applicationID: applicationID, keys: key.map { [$0] } ?? [],
      sessionToken: sessionToken)
  }

  /// Names a server and any number of keys, such as a REST key and the master key.
  ///
  /// - Parameters:
  ///   - url: Where the server is mounted, without query or fragment.
  ///   - applicationID: The application's id.
  ///   - keys: The keys to send.
  ///   - sessionToken: Gives the token of the user who is logged in.
  public init(
    url: URL, applicationID: String, keys: [Key],
    sessionToken: @escaping @Sendable () -> Secret? = { nil }
  ) {
    self.url = url
    self.applicationID = applicationID
    self.keys = keys
    self.sessionToken = sessionToken
  }

  /// The same server, asked in the name of whoever is logged in at this moment.
  package var inPresentSession: ParseServer {
    var server = self
    let token = sessionToken()
    server.sessionToken = { token }
    return server
  }

  /// Whether requests carry the master key.
  package var usesMasterKey: Bool { keys.contains { $0.header == "X-Parse-Master-Key" } }
}

extension ParseServer {
  /// The path below which the server answers, as it stands in batches; empty for none.
  package var mountPath: String {
    var path = Substring(url.path(percentEncoded: true))
    while path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  /// What a store is bound to: server, mount path and application, nothing secret.
  package var identity: String { "\(url.server)\(mountPath)#\(applicationID)" }

  /// The headers of a request, with the token of this moment unless told to leave it out.
  package func headers(withSession: Bool = true) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "X-Parse-Application-Id": applicationID, "Content-Type": "application/json",
    ]
    for key in keys { headers[key.header] = key.secret.text }
    if withSession, let token = sessionToken(), !token.text.isEmpty {
      headers["X-Parse-Session-Token"] = token.text
    }
    return headers
  }
}

extension ParseServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows address and application, nothing secret.
  public var description: String { identity }

  /// Shows the same as the description.
  public var debugDescription: String { identity }

  /// Shows nothing inside.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
