// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Foundation

/// What the engine remembers about a class between runs; changed only in the transactions that make it true.
struct ClassState: Codable, Equatable {
  /// What the rows here were listed by: fields, filter, user.
  ///
  /// Another fingerprint starts a listing that applies rows whatever their version.
  var fingerprint: String?
  /// Up to where complete listings are known to reach: the next one begins before it.
  var cursor = DownloadCursor()
  /// The declared fields that the rows here were last listed with.
  var listedFields: Set<String>?
  /// Those of them that no complete listing has brought yet: unknown, which is not absent.
  var unknownFields: Set<String> = []
  /// The listing whose pages are being imported.
  var importing: ImportProgress?
  /// The last page that was imported, also after its listing was finished: none is imported twice.
  var lastImport: ImportProgress?
  /// Evidence of the last complete listing, until the look for missing records has used it up.
  var completeListing: CompleteListing?
  /// Counts each change of ours that the server acknowledged: pages staged before it are stale.
  var uploadSequence = 0
  /// Whether a complete listing has been imported once.
  var isInitialSyncDone = false
  /// How often in a row the count and a complete listing disagreed; at two the class is scanned in full.
  var countDisagreements = 0
  /// The server refuses to count this class.
  var isCountForbidden = false
  /// What is compared record by record, and when; nil before the first complete import.
  var scan: RollingScan?
  /// Removals here and on the server within the day that began then, for the delete guard.
  var removals = RemovalTally()

  struct ImportProgress: Codable, Equatable {
    var listingID: String
    var lastPage: Int
  }
}

extension ClassState {
  /// Somebody else asks from now on, or elsewhere: what was shown and allowed proves nothing there.
  mutating func forgetProof() {
    completeListing = nil
    countDisagreements = 0
    isCountForbidden = false
  }
}

/// Removals counted for the delete guard, by the environment's day.
struct RemovalTally: Codable, Equatable {
  var day: Int64 = 0
  var local = 0
  var server = 0
}

/// What the engine remembers about a server.
struct ServerCapabilities: Codable, Equatable {
  /// Whether the server stores a create under the id it came with; nil while that is not known.
  var allowsCustomIDs: Bool?
  /// A batch was answered as it should be.
  var isBatchProven = false
  /// Batches do not work; tried again after this time of the environment's clock.
  var batchBrokenUntil: Timestamp?
  /// The most requests in one batch, where the server refused more.
  var batchLimit: Int?
}

/// Whose data a store holds.
struct StoreOwner: Codable, Equatable {
  var server: String
  var userID: String?
}

/// A key of the engine's bookkeeping, and the type kept under it.
struct BookkeepingKey<Content: Codable & Sendable>: Sendable {
  let name: String
  let initial: Content
}

extension BookkeepingKey where Content == ClassState {
  static func classState(_ className: String) -> Self {
    Self(name: "class/\(className)", initial: ClassState())
  }
}

extension BookkeepingKey where Content == ServerCapabilities {
  static var capabilities: Self { Self(name: "server", initial: ServerCapabilities()) }
}

extension BookkeepingKey where Content == StoreOwner? {
  static var binding: Self { Self(name: "binding", initial: nil) }
}

extension SyncReader {
  /// The value kept under a key, or its initial one.
  func state<Content>(_ key: BookkeepingKey<Content>) throws -> Content {
    guard let text = try bookkeeping(key.name) else { return key.initial }
    return try JSONDecoder().decode(Content.self, from: Data(text.utf8))
  }
}

extension SyncTransaction {
  /// Changes the value kept under a key.
  func change<Content>(
    _ key: BookkeepingKey<Content>, _ change: (inout Content) throws -> Void
  ) throws {
    var content = try state(key)
    try change(&content)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try setBookkeeping(key.name, to: String(decoding: encoder.encode(content), as: UTF8.self))
  }
}
