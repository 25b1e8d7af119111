// Ferry: offline-first sync for Parse Server. MIT licence.

package import LoopbackParse

/// What a server is set up to do, said once for the double and the real one.
package struct TestServerOptions: Sendable {
  /// Whether rows may be created under ids of the client's.
  package var allowsCustomIDs = false
  /// Whether clients may create classes by writing to them.
  package var allowsClassCreation = true
  /// The most rows of an answer; nil for no limit.
  package var maxLimit: Int?
  /// The most requests in a batch of an ordinary client's; nil for no limit.
  package var batchLimit: Int?
  /// The order of its texts.
  package var collation = LoopbackCollation.codePoint
  /// Whether every batch fails, as on an install with another `router`.
  package var breaksBatches = false
  /// How many processes answer behind the one port; the double is always one.
  package var processes = 1
  /// Whether each request that bears an id is taken only once.
  package var isIdempotent = false
  /// How many requests of an ordinary client's, for any one class, are taken within so many seconds.
  package var rateLimit: (count: Int, seconds: Int)?
  /// What runs when rows are saved.
  package var cloudCode: TestCloudCode?

  package init() {}

  /// The defaults, but for whether ids may be the client's.
  package init(allowsCustomIDs: Bool) { self.allowsCustomIDs = allowsCustomIDs }

  var forDouble: LoopbackConfiguration {
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
    configuration.triggers = cloudCode?.triggers ?? [:]
    return configuration
  }

  var forReal: RealServer.Options {
    var settings: [String: LoopbackValue] = ["maintenanceKey": "maintenance"]
    settings["allowCustomObjectId"] = .bool(allowsCustomIDs)
    settings["allowClientClassCreation"] = .bool(allowsClassCreation)
    if let maxLimit { settings["maxLimit"] = .number(Double(maxLimit)) }
    if let batchLimit {
      settings["requestComplexity"] = ["batchRequestLimit": .number(Double(batchLimit))]
    }
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
      cloudCode: cloudCode?.javaScript, breaksBatches: breaksBatches, processes: processes)
  }
}
