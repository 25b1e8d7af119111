// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning

/// The options of a story: how devices sync, what the server is like, where it is told.
struct StoryOptions: Sendable {
  var sync = SyncOptions()
  var conflicts = ConflictPolicy.remoteWins
  var deletions = DeletionPolicy.deleteWins
  /// Whether the story is told on a real server too.
  var isAlsoReal = false
  /// The most rows the server gives at once.
  var maxLimit: Int?
  /// Whether the server fails every batch.
  var brokenBatch = false
  /// Whether the server has Ferry's Cloud Code, which logs deletions of all classes.
  var hasModule = false
  /// The stores the story can be told on; nil for all.
  var store: ScenarioVariant.Store?
  /// Whether ids may be made on devices; nil for either.
  var allowsCustomIDs: Bool?
}

extension PhraseReader {
  /// Options, separated by commas.
  mutating func read(into options: inout StoryOptions) throws(ScenarioError) {
    repeat {
      guard try option(&options) else {
        throw expected(
          "an option (request limit TIME, session limit TIME, overlap TIME, page size N, batch size N, attempts N, max limit "
            + "N, broken batch, Cloud Code, compared rows N, margin TIME, local wins, edit wins, only sqlite, only server ids, only custom ids, "
            + "also on a real server)"
        )
      }
    } while try takes(sign: ",")
    try needsEnd("\",\" or the end of the line")
  }

  private mutating func option(_ options: inout StoryOptions) throws(ScenarioError) -> Bool {
    if try takes(phrase: "request limit") {
      options.sync.maximumRequestDuration = try duration()
    } else if try takes(phrase: "session limit") {
      options.sync.sessionTimeout = try duration()
    } else if try takes("overlap") {
      options.sync.overlap = try duration()
    } else if try takes(phrase: "page size") {
      options.sync.pageSize = try integer("the size of a page")
    } else if try takes(phrase: "batch size") {
      options.sync.batchSize = try integer("the size of a batch")
    } else if try takes("attempts") {
      options.sync.attemptLimit = try integer("the number of attempts")
    } else if try takes(phrase: "max limit") {
      options.maxLimit = try integer("the most rows the server gives")
    } else if try takes(phrase: "compared rows") {
      options.sync.overlapComparison.leastRows = try integer("the number of rows")
    } else if try takes("margin") {
      options.sync.overlapComparison.margin = try duration()
    } else if try takes(phrase: "also on a real server") {
      options.isAlsoReal = true
    } else if try takes(phrase: "broken batch") {
      options.brokenBatch = true
    } else if try takes(phrase: "Cloud Code") {
      options.hasModule = true
    } else if try takes(phrase: "local wins") {
      options.conflicts = .localWins
    } else if try takes(phrase: "edit wins") {
      options.deletions = .editWins
    } else if try takes(phrase: "only sqlite") {
      options.store = .sqlite
    } else if try takes(phrase: "only server ids") {
      options.allowsCustomIDs = false
    } else if try takes(phrase: "only custom ids") {
      options.allowsCustomIDs = true
    } else {
      return false
    }
    return true
  }
}
