// Ferry: offline-first sync for Parse Server. MIT licence.

public import struct Foundation.Date

/// The options of a backend; each default is a Parse Server's, except where it says otherwise.
///
/// ```swift
/// var configuration = LoopbackConfiguration()
/// configuration.maxLimit = 100
/// let server = try LoopbackServer(configuration)
/// ```
public struct LoopbackConfiguration: Sendable {
  /// The application id that every request must name.
  public var applicationId = "app1"
  /// The key that lifts all permissions.
  public var masterKey = "mk"
  /// The key that may date the rows it creates; nil for none.
  public var maintenanceKey: String?
  /// The path everything is mounted at, beginning with a slash.
  public var mountPath = "/parse"

  /// The key asked for in `X-Parse-REST-API-Key`; nil asks for none.
  ///
  /// If one or more of the four client keys are set, a client must send one that fits.
  public var restAPIKey: String?
  /// The key asked for in `X-Parse-Javascript-Key`; nil asks for none.
  public var javascriptKey: String?
  /// The key asked for in `X-Parse-Client-Key`; nil asks for none.
  public var clientKey: String?
  /// The key asked for in `X-Parse-Windows-Key`; nil asks for none.
  public var windowsKey: String?

  /// Whether clients may choose object ids for the rows they create.
  public var allowCustomObjectId = false
  /// Whether clients may create classes by writing to them; a Parse Server's default is not to.
  public var allowClientClassCreation = true
  /// How many rows a query gives that sets no limit.
  public var defaultLimit = 100
  /// The most rows a query gives, whatever it asks for; nil sets no bound.
  public var maxLimit: Int?
  /// The most operations in one batch without the master key; nil sets no bound.
  public var batchRequestLimit: Int?
  /// The addresses below the mount path that take a request id only once, as patterns of their
  /// beginnings without a slash in front: `classes/Game`, `.*`; none, as on a Parse Server, by default.
  public var idempotentPaths: [String] = []
  /// How often what may be asked for; nothing is limited by default.
  public var rateLimits: [LoopbackRateLimit] = []
  /// The most bytes in a body.
  public var maxUploadSize = 20 * 1024 * 1024
  /// The callers who may send files, besides the one with the master key (`fileUpload`).
  public var uploaders: Set<LoopbackUploader> = [.anyone, .anonymousUsers, .users]
  /// The endings of files that may be sent, in small letters (`fileUpload.fileExtensions`); nil for all but those of pages.
  public var uploadEndings: Set<String>?
  /// Whether a part of a file is given where a range is asked for, as by the adapter of MongoDB; otherwise the whole file
  /// comes, as from a folder.
  public var streamsFiles = false
  /// Whether anybody may read a file (`fileDownload.enableForPublic`); otherwise users who are logged in, and the master key.
  public var allowsPublicDownloads = true

  /// The order of strings in the database.
  public var collation = LoopbackCollation.codePoint
  /// Whether every batch fails with HTTP 500 and code 1, as a fresh install of 9.10.0 does.
  public var brokenBatch = false
  /// Whether the operations of a batch run in a shuffled order; false runs them as sent.
  public var shufflesBatches = true
  /// The seconds by which the `Date` header is ahead of the clock; nil sends no such header.
  public var dateHeaderSkew: Double? = 0

  /// Whether the server can send mail, as to users who forgot their passwords; it sends none.
  public var hasMail = false
  /// Whether a user must confirm the e-mail address before a log-in (`preventLoginWithUnverifiedEmail`).
  public var preventsUnverifiedLogin = false

  /// Whether the backend keeps a log of its commits, which grows until a test empties it.
  public var keepsCommits = false

  /// The classes whose changes a ``LoopbackServer`` publishes to live queries, or `.*` for all (`liveQuery.classNames`).
  ///
  /// If there is none, it accepts no websocket, as a server without `startLiveQueryServer`.
  public var liveQueryClasses: [String] = []

  /// Triggers by class.
  public var triggers: [String: LoopbackTriggers] = [:]
  /// Ferry's own Cloud Code; nil for a server without it.
  public var ferryModule: LoopbackFerryModule?
  /// Cloud Code functions by name.
  public var functions: [String: LoopbackFunction] = [:]

  /// The clock that stamps rows; replace it for a run that repeats exactly.
  public var now: @Sendable () -> Date = { Date() }
  /// The seed of object ids, tokens and the order in batches; set it for a run that repeats exactly.
  public var seed: UInt64 = .random(in: .min ... .max)

  /// Makes the default options.
  public init() {}

  /// The client keys that are asked for, by header.
  var clientKeys: [(header: String, key: String)] {
    [
      ("X-Parse-Client-Key", clientKey), ("X-Parse-Javascript-Key", javascriptKey),
      ("X-Parse-Windows-Key", windowsKey), ("X-Parse-REST-API-Key", restAPIKey),
    ].compactMap { header, key in key.map { (header, $0) } }
  }
}
