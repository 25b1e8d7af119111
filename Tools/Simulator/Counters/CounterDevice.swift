// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation

/// A device of a world of numbers, with its app.
final class CounterDevice: LedgerDevice, @unchecked Sendable {
  // Unchecked: one thread plays a world, and the syncs of its devices run in line.
  /// The row that the app deleted with its last transaction, as it was.
  private(set) var deleted: Record?
  private unowned let world: CounterWorld
  /// The additions of the app when the device kept a backup, and those of them that the server had carried out.
  private var atBackup: (made: [RowField: Double], carriedOut: CounterServer.Additions)?

  init(_ number: Int, of world: CounterWorld) throws {
    self.world = world
    try super.init(number, of: world, with: world.server)
  }

  override func actWithinSync() throws { try world.edit(on: self) }

  override func note(from before: Record?, to after: Record) {
    world.ledger.note(from: before, to: after, of: world.entity, by: number)
  }

  /// The app deletes a row, or undoes that.
  func deleteOrUndo() throws {
    if let former = deleted {
      deleted = nil
      // A hidden record counts as deleted, and comes back by an import without the edits before the delete.
      if !world.editWins, try rows().contains(where: { $0["title"] == former["title"] }) {
        world.ledger.forget(former["title"])
      }
      try undo("undo of the delete", besides: former)
    } else if let row = try pickRow(by: &world.chance) {
      deleted = row
      try store.write { try $0.delete(row.reference) }
      world.note("\(letter): delete \(row["title"])")
    }
  }

  override func discard() throws {
    guard deleted == nil else { return }
    try super.discard()
  }

  // MARK: Backups

  var hasBackup: Bool { atBackup != nil }

  /// Whether the server may have additions or creates of which the device does not know.
  func hasOpenAttempts() throws -> Bool {
    try entries().contains { $0.kind != .update || !$0.attempts.isEmpty }
  }

  override func backUp() throws {
    try super.backUp()
    atBackup = (world.ledger[number], world.server.additions(of: number))
  }

  /// Of what the app added since the backup, the server keeps what it carried out; the rest is gone.
  ///
  /// Where it carried something out, that was all that waited at the backup, too.
  override func goBack() throws {
    guard let atBackup else { return }
    try super.goBack()
    let carriedOut = world.server.additions(of: number).sums
    world.ledger[number] = atBackup.made
    for place in world.server.wentBack(number, to: atBackup.carriedOut) {
      world.ledger[number][place] = carriedOut[place]
    }
  }

  func parkedAdditions() throws -> [OutboxEntry] {
    try entries().filter { $0.isUndecidable && !$0.undecidedFields.isEmpty }
  }

  func decide(_ entry: OutboxEntry, counted: Bool) throws -> Bool {
    try store.decideIncrements(of: entry.className, localID: entry.localID, counted: counted)
  }

  /// Whether a conflict record has the row, so that its additions wait for the app.
  func hasLost(_ title: String) throws -> Bool {
    try conflictRecords().contains { conflict in
      guard conflict.reason != .editedRemotely else { return false }
      return conflict.lost["title"] == .string(title)
    }
  }
}
