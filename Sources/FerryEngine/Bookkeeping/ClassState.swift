// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
package import FerryStore
import Foundation

/// The engine's state of a class between runs; it changes only in the transactions that make it
/// true.
struct ClassState: Equatable, Sendable {
  /// The fields, filter and user with which the local rows were listed.
  ///
  /// Another fingerprint starts a listing that applies records of any version.
  var fingerprint: String?
  /// The position up to which complete listings reach; the next one begins before it.
  var cursor = DownloadCursor()
  /// The declared fields with which the local rows were last listed.
  var listedFields: Set<String>?
  /// Those of the fields that no complete listing has returned yet; their values are unknown, not
  /// absent.
  var unknownFields: Set<String> = []
  /// The fields that complete listings have returned at any time, of whatever program.
  ///
  /// An edit of such a field began with a value of the server, also where that is none.
  var everListedFields: Set<String> = []
  /// The declared fields that no record of the listing under import has shown so far.
  var unseenFields: Set<String> = []
  /// The listing whose pages are being imported.
  var importing: ImportProgress?
  /// The last imported page, also after its listing has ended, so that no page is imported twice.
  var lastImport: ImportProgress?
  /// Proof of the last complete listing, until the search for missing records has used it.
  var completeListing: CompleteListing?
  /// Counts how often the server told of records outside of a listing.
  ///
  /// It acknowledged changes, or a lookup showed records. Pages staged before the latest are stale.
  var uploadSequence = 0
  /// Whether a complete listing has been imported once.
  var isInitialSyncDone = false
  /// How often in a row the count and a complete listing disagreed; at two, the class is scanned in
  /// full.
  var countDisagreements = 0
  /// Whether the server refuses to count this class.
  var isCountForbidden = false
  /// Whether the server took creates only from users when it was last asked, and nobody is logged in.
  var needsLoginToCreate = false
  /// Why the rest of a run left the class out; the next download of the class clears it.
  var failure: Failure?
  /// The rolling scan's next range and time; nil before the first complete import.
  var scan: RollingScan?
  /// How far the server's deletion log was read; nil before it was.
  var logPosition: LogPosition?
  /// Removals on both sides within the day that began then, for the delete guard.
  var removals = RemovalTally()

  struct ImportProgress: Equatable, Sendable {
    var listingID: String
    var lastPage: Int
  }

  /// Why stages leave the class out.
  struct Failure: Equatable, Sendable {
    /// The class may not be read, so its new rows may be sent all the same.
    var isForbidden: Bool
    /// What happened, what became of the data, what to do.
    var message: String
  }
}

extension SyncTransaction {
  /// The store now knows a record of the class as it was after the staged pages were downloaded.
  ///
  /// Such a page shows older values, and an import would take them for changes of another client.
  func outdateStagedPages(of className: String) throws(StoreError) {
    try change(.classState(className)) { $0.uploadSequence += 1 }
  }
}

extension ClassState {
  /// The declared fields that no complete listing has returned yet.
  ///
  /// Fields that were declared since the last listing are unknown until a listing of the whole class is
  /// imported.
  func unknownFields(of entity: Entity) -> Set<String> {
    let declared = Set(entity.fields.map(\.name))
    let added = listedFields.map { declared.subtracting($0) } ?? []
    return unknownFields.intersection(declared).union(added)
  }

  /// Whether the counts of the class were right lately.
  var isCountTrusted: Bool { countDisagreements < 2 }

  /// Forgets what another user, or another server, showed and allowed.
  mutating func forgetProof() {
    completeListing = nil
    logPosition = nil
    countDisagreements = 0
    isCountForbidden = false
    needsLoginToCreate = false
    failure = nil
  }
}

extension SyncReader {
  /// The classes of which the server took creates only from users when it was last asked.
  ///
  /// - Parameter className: The only class to look at; nil for all that are registered.
  /// - Returns: Their names.
  /// - Throws: `StoreError` if the store cannot be read.
  package func classesForUsersOnly(
    of className: String? = nil
  ) throws(StoreError) -> Set<String> {
    try classes(of: className) { $0.needsLoginToCreate }
  }

  /// The classes whose state is so: the given one, or else all that are registered.
  func classes(
    of className: String? = nil, where isSo: (ClassState) -> Bool
  ) throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    for name in className.map({ [$0] }) ?? schema.entities.map(\.name) {
      if isSo(try state(.classState(name))) { names.insert(name) }
    }
    return names
  }
}
