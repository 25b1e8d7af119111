// Ferry: offline-first sync for Parse Server. MIT licence.

package import LoopbackParse

/// A server's setup, for the double and the real server alike.
package struct TestServerOptions: Sendable {
  /// Whether clients may choose the ids of rows.
  package var allowsCustomIDs = false
  /// Whether clients may create classes by writing to them.
  package var allowsClassCreation = true
  /// The greatest number of rows in an answer; nil for no limit.
  package var maxLimit: Int?
  /// The greatest number of requests in an ordinary client's batch; nil for no limit.
  package var batchLimit: Int?
  /// The sort order of texts.
  package var collation = LoopbackCollation.codePoint
  /// Whether every batch fails, as on an install with another `router`.
  package var breaksBatches = false
  /// The number of processes behind the port; the double is always one.
  package var processes = 1
  /// Whether the server accepts a request id only once.
  package var isIdempotent = false
  /// How many requests to one class the server accepts from an ordinary client within that many
  /// seconds.
  package var rateLimit: (count: Int, seconds: Int)?
  /// Whether files come in parts where a range is asked for, as from MongoDB.
  package var streamsFiles = false
  /// Whether anybody may read a file; otherwise only users who are logged in.
  package var allowsPublicDownloads = true
  /// The classes whose changes live queries hear of; `.*` for all.
  package var publishedClasses = [".*"]
  /// The classes whose deletions Ferry's Cloud Code logs; nil for a server without it.
  package var loggedClasses: [String]?
  /// Cloud Code that runs when rows are saved.
  package var cloudCode: TestCloudCode?

  package init() {}

  /// The defaults, with a choice about ids from clients.
  package init(allowsCustomIDs: Bool) { self.allowsCustomIDs = allowsCustomIDs }

  package var forDouble: LoopbackConfiguration {
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = allowsCustomIDs
    configuration.allowClientClassCreation = allowsClassCreation
    configuration.maxLimit = maxLimit
    configuration.batchRequestLimit = batchLimit
    configuration.collation = collation
    configuration.brokenBatch = breaksBatches
    configuration.idempotentPaths = isIdempotent ? [".*"] : []
    configuration.rateLimits =
      rateLimit.map {
        [LoopbackRateLimit("/classes/*", count: $0.count, seconds: $0.seconds)]
      } ?? []
    configuration.streamsFiles = streamsFiles
    configuration.allowsPublicDownloads = allowsPublicDownloads
    configuration.triggers = cloudCode?.triggers ?? [:]
    configuration.functions = cloudCode?.functions ?? [:]
    configuration.liveQueryClasses = publishedClasses
    configuration.ferryModule = loggedClasses.map { LoopbackFerryModule(classes: $0) }
    return configuration
  }

  var forReal: RealServer.Options {
    var settings: [String: LoopbackValue] = ["maintenanceKey": "maintenance"]
    settings["allowCustomObjectId"] = .bool(allowsCustomIDs)
    if publishedClasses != [".*"] {
      settings["liveQuery"] = ["classNames": .array(publishedClasses.map(LoopbackValue.string))]
      settings["startLiveQueryServer"] = .bool(!publishedClasses.isEmpty)
    }
    settings["allowClientClassCreation"] = .bool(allowsClassCreation)
    if let maxLimit { settings["maxLimit"] = .number(Double(maxLimit)) }
    if let batchLimit {
      settings["requestComplexity"] = ["batchRequestLimit": .number(Double(batchLimit))]
    }
    if !allowsPublicDownloads { settings["fileDownload"] = ["enableForPublic": false] }
    if isIdempotent { settings["idempotencyOptions"] = ["paths": [".*"], "ttl": 300] }
    if let rateLimit {
      settings["rateLimit"] = [
        [
          "requestPath": "/classes/*path", "requestCount": .number(Double(rateLimit.count)),
          "requestTimeWindow": .number(Double(rateLimit.seconds) * 1000),
          "includeInternalRequests": true,
        ]
      ]
    }
    return RealServer.Options(
      settings: settings, collation: collation == .english ? "en-US" : nil,
      cloudCode: cloudCode?.javaScript,
      module: loggedClasses.map { ["classes": .array($0.map(LoopbackValue.string))] },
      breaksBatches: breaksBatches, processes: processes,
      streamsFiles: streamsFiles)
  }
}
