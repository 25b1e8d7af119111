// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning

/// How a coordinator syncs; the defaults suit a server that is not known.
public struct SyncOptions: Sendable {
  /// Records asked for at a time, from 1 to 10,000.
  ///
  /// A server may give fewer.
  public var pageSize = 1000
  /// How far back each listing reaches behind the last one: at least the longest time between the
  /// stamp of a write and its commit (slow triggers, several server processes).
  public var overlap: Duration = .seconds(90)
  /// How long a request whose answer was lost may still be running on the server: at least what
  /// server and proxy allow a request.
  public var maximumRequestDuration: Duration = .seconds(120)
  /// How long the server may be silent, or nearly so, until a request counts as failed.
  ///
  /// A request that failed is repeated where that is safe, in all for two minutes at most. Below one
  /// second it counts as one second.
  public var timeout: Duration = .seconds(60)
  /// Writes in one batch request, from 1 to 50.
  public var batchSize = 50
  /// Batch requests on their way at the same time.
  public var batchesInFlight = 4
  /// The field that carries Ferry's key of a create where ids are the server's.
  public var clientKeyField = "ferryKey"
  /// The share of each class that is compared with the server record by record within a day; 0 for
  /// none.
  ///
  /// By the device's days, and at most once a day. A class is compared in ranges of at least some
  /// 1,000 records, so that a small one has its turn once in as many days as the share allows.
  public var dailyScanShare = 1.0 / 30
  /// How many removals within a day pass without a confirmation.
  public var removalLimit = RemovalLimit()
  /// How many actions a plan lists; its counts are always whole.
  public var plannedActionLimit = 100_000
  /// How often a write is tried that fails without a reason that will last.
  public var attemptLimit = 5

  /// The defaults.
  public init() {}
}
