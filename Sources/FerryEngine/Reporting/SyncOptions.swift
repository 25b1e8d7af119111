// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
public import FerryPlanning

/// The settings of a sync; the defaults suit an unknown server.
///
/// A number outside its range counts as the nearest one within.
public struct SyncOptions: Sendable {
  /// The number of records to request at a time, from 1 to 10,000.
  ///
  /// A server may return fewer.
  public var pageSize = 1000 {
    didSet { pageSize = min(max(pageSize, 1), 10_000) }
  }
  /// How far each listing goes back behind the previous one.
  ///
  /// Choose at least the longest time between the stamp of a write and its commit (slow triggers,
  /// several server processes). Of many imported records that lie that far back, a listing compares versions.
  public var overlap: Duration = .seconds(90)
  /// How long a request may run on the server after its answer was lost.
  ///
  /// Choose at least the time that server and proxy allow a request.
  public var maximumRequestDuration: Duration = .seconds(120)
  /// How long the server may be silent, or nearly so, until a request counts as failed.
  ///
  /// A request that failed is repeated where that is safe, in all for two minutes at most. Below one
  /// second it counts as one second.
  public var timeout: Duration = .seconds(60) {
    didSet { timeout = max(timeout, .seconds(1)) }
  }
  /// How long the app may take to give a session token, or a new one for a session that has ended.
  ///
  /// `ParseServer.sessionToken` and `renewSession` give it. A run that gets no answer ends, and has sent nothing.
  public var sessionTimeout: Duration = .seconds(60)
  /// How many records of a class to download at once if the server does not count them, from 1 on.
  ///
  /// Without a count, a server that sends records without an end cannot be told from a large class.
  /// Four times the number of local rows is allowed beside it.
  public var uncountedLimit = 1_000_000 {
    // Half of all numbers, so that what is allowed beside it can be added.
    didSet { uncountedLimit = min(max(uncountedLimit, 1), .max / 2) }
  }
  /// The number of writes in one batch request, from 1 to 50.
  public var batchSize = 50 {
    didSet { batchSize = min(max(batchSize, 1), ParseRequests.mostWrites) }
  }
  /// The number of batch requests in flight at the same time, from 1 on.
  public var batchesInFlight = 4 {
    didSet { batchesInFlight = max(batchesInFlight, 1) }
  }
  /// The field for Ferry's key of a create on servers that choose the ids.
  public var clientKeyField = "ferryKey"
  /// The share of each class to compare with the server record by record within a day, from 0 to 1;
  /// 0 for none.
  ///
  /// Days are those of the device, and a class is compared at most once a day. A class is compared
  /// in ranges of at least about 1,000 records. So a small class is compared once in the number of
  /// days that the share allows.
  public var dailyScanShare = 1.0 / 30
  /// How many removals within a day need no confirmation.
  public var removalLimit = RemovalLimit()
  /// The greatest number of actions that a plan or a run keeps, from 0 on; counts always cover all actions.
  public var plannedActionLimit = 20_000 {
    didSet { plannedActionLimit = max(plannedActionLimit, 0) }
  }
  /// How often a write is tried if it fails without a permanent reason, from 1 on.
  public var attemptLimit = 5 {
    didSet { attemptLimit = max(attemptLimit, 1) }
  }
  /// The number of rows that one transaction of an import takes; less where a test looks at what happens between.
  package var rowsPerImport = 20_000
  /// When a listing compares the versions of rows that it shows once more, instead of fetching all of them.
  package var overlapComparison = OverlapComparison.Terms()

  /// Which classes a sync downloads and imports first: those with a higher number; 0 for a class without one.
  ///
  /// All classes are downloaded at the same time, so it matters for many classes, and for the first sync of large ones.
  /// Names of no class are left aside.
  public var priorities: [String: Int] = [:]

  /// How many bytes of fetched files to keep on this device, from 0 on; 1 GiB by default.
  ///
  /// Beyond that, the files leave that were not asked for for longest. The server still has them. A file stays for five
  /// minutes after its last use, whatever the limit is.
  public var filesLimit = 1 << 30 {
    didSet { filesLimit = max(filesLimit, 0) }
  }
  /// The most bytes of one file that a fetch brings, from 0 on; 4 GiB by default.
  public var largestFile = 4 << 30 {
    didSet { largestFile = max(largestFile, 0) }
  }
  /// The most bytes of a file that a sync sends, from 0 on; 20 MiB by default, as on a Parse Server.
  ///
  /// A larger file is refused before a byte of it is sent. Give the server's `maxUploadSize`, and remember that a proxy before
  /// the server may take less.
  public var largestUpload = 20 << 20 {
    didSet { largestUpload = max(largestUpload, 0) }
  }

  /// The defaults.
  public init() {}
}
