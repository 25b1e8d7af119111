// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// A Parse-compatible server as a value: requests in, answers out.
///
/// There is no network, no clock and no chance in it but what its configuration brings, so the same
/// requests give the same answers, and a copy is an independent server:
///
/// ```swift
/// var backend = LoopbackBackend(LoopbackConfiguration())
/// let answer = backend.answer(
///   LoopbackRequest(
///     "POST", "/parse/classes/Game", headers: ["X-Parse-Application-Id": "app1"],
///     json: ["title": "Semi-final"]))
/// answer.status  // 201
/// ```
///
/// It behaves as Parse Server 9.10 on PostgreSQL does. For a server that real clients can reach, wrap
/// it in a ``LoopbackServer``. Passwords are kept as they were sent; never store a real one.
public struct LoopbackBackend: Sendable {
  /// The options the backend was made with.
  public let configuration: LoopbackConfiguration

  /// The requests that would harm a real server, oldest first; a test asserts that there are none.
  public internal(set) var violations: [LoopbackViolation] = []

  /// The changes of rows so far, oldest first, if the configuration keeps them; a test may empty this.
  public var commits: [LoopbackCommit] = []

  /// The changes that live queries have not been told of.
  var liveChanges: [LiveChange] = []

  /// The address under which clients reach the mount path, without a slash at its end.
  ///
  /// It appears in `Location` headers and in the addresses of files. A ``LoopbackServer`` sets it.
  public var publicURL: String {
    didSet {
      guard publicURL != oldValue else { return }
      let fileAddress = fileAddress
      for className in Array(tables.keys) {
        tables[className]?.encodeAll(fileAddress: fileAddress)
      }
    }
  }

  /// Ferry's Cloud Code on this server; nil while the server is without it.
  ///
  /// Setting it is a restart of a server, with the module or without, so that the deletion log begins anew.
  public var ferryModule: LoopbackFerryModule? {
    didSet { beginDeletionLog() }
  }

  var tables: [String: ClassTable] = [:]
  var files: [String: StoredFile] = [:]
  var settings = GlobalSettings()
  var generator: SeededGenerator
  /// The id the next new row gets, where the server itself chose one.
  var nextObjectId: String?
  /// The row of `_Session` of each token.
  var sessionIds: [String: String] = [:]
  /// The request ids that were used up.
  var requestIds: Set<String> = []
  var rateWindows: [LoopbackRateLimit: RateWindow] = [:]

  /// Makes a backend that holds nothing.
  ///
  /// - Parameter configuration: the options, which cannot be changed later.
  public init(_ configuration: LoopbackConfiguration = LoopbackConfiguration()) {
    self.configuration = configuration
    publicURL = "http://127.0.0.1" + configuration.mountPath
    generator = SeededGenerator(seed: configuration.seed)
    for className in ClassSchema.builtIn.keys {
      tables[className] = ClassTable(
        schema: ClassSchema(className: className), collation: configuration.collation)
    }
    ferryModule = configuration.ferryModule
    beginDeletionLog()
  }

  var fileAddress: String { "\(publicURL)/files/\(configuration.applicationId)/" }

  /// The clock of the configuration in the server's resolution.
  var now: Instant { Instant(configuration.now()) }
}
