// Ferry: offline-first sync for Parse Server. MIT licence.

/// Ferry's Cloud Code on a server, as it describes itself.
///
/// An operator installs it from the folder `Tools/CloudCode`. ``ServerExamination`` finds out whether a server has it.
///
/// ```swift
/// var examination = ServerExamination(of: server)
/// try examination.ask([.module], over: CurlTransport())
/// if let module = try examination.module.get() ?? nil { print(module.version) }
/// ```
public struct ServerModule: Sendable, Hashable {
  /// The version of its functions' parameters and results that this Ferry knows.
  public static let knownProtocol = 1

  /// The version of the module, such as `1.0.0`.
  public var version: String
  /// The version of its functions' parameters and results.
  public var protocolVersion: Int
  /// The greatest number of ids in a request, and of ids in an answer of the log.
  public var pageLimit: Int
  /// How long a deletion stays in the log, in days.
  public var logDays: Int
  /// The classes of which the server says which ids are gone, sorted by name.
  public var removedClasses: [String]
  /// The classes whose deletions the server logs, sorted by name.
  public var loggedClasses: [String]

  /// Whether this Ferry knows the parameters and results of the module's functions.
  public var isKnown: Bool { protocolVersion == Self.knownProtocol }

  /// Reads the result of the module's function `ferryModule`; nil if it is something else.
  ///
  /// A server of an app may have another function of this name, so each member is checked.
  init?(_ result: JSONElement) {
    guard result["name"]?.string == "ferry", let version = result["version"]?.string,
      version.wholeMatch(of: /[0-9A-Za-z.+-]{1,32}/) != nil,
      let protocolVersion = result["protocol"]?.wholeNumber, protocolVersion > 0,
      let pageLimit = result["pageLimit"]?.wholeNumber, pageLimit > 0,
      let logDays = result["logDays"]?.wholeNumber, logDays > 0,
      let removed = result["removed"]?.texts, let logged = result["deletions"]?.texts
    else { return nil }
    self.version = version
    self.protocolVersion = protocolVersion
    self.pageLimit = pageLimit
    self.logDays = logDays
    removedClasses = removed.sorted()
    loggedClasses = logged.sorted()
  }
}
