// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Foundation
import Randomness

/// A world whose values are no stamps: it is judged by a ledger of what its apps and clients did.
///
/// Devices and another client share the records of one class, over a network that loses, delays and refuses requests. Then
/// nothing goes wrong any more, and everything must come to rest.
public class LedgerWorld: @unchecked Sendable {
  // Unchecked: one thread plays a world.
  let clock: SimulatedClock
  var chance: Chance
  let schema: Schema
  let editWins: Bool
  let folder: URL
  /// Whether nothing goes wrong any more.
  private(set) var isCalm = false
  /// What happened, a line each.
  public private(set) var chronicle: [String] = []
  private var rowCount = 0

  init(
    _ name: String, clock: SimulatedClock, chance: Chance, schema: Schema, editWins: Bool,
    in folder: URL
  ) {
    self.folder = folder.appending(path: name, directoryHint: .isDirectory)
    (self.clock, self.chance, self.schema) = (clock, chance, schema)
    self.editWins = editWins
    try? FileManager.default.removeItem(at: self.folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var entity: Entity { schema.entities[0] }

  /// Carries the world out.
  ///
  /// - Returns: The rule that it broke; nil where all held.
  public final func play() -> Violation? {
    do {
      try begin()
      for _ in 0..<(10 + chance.number(below: 50)) { try step() }
      isCalm = true
      note("calm")
      try comeToRest()
      return try check()
    } catch let violation as Violation {
      return violation
    } catch {
      return Violation(.failedSync, "\(error)")
    }
  }

  final func note(_ line: @autoclosure () -> String) { chronicle.append(line()) }

  /// Values for the chronicle.
  final func told(_ fields: Fields) -> String {
    fields.values.map { "\($0) \(told($1))" }.sorted().joined(separator: ", ")
  }

  func told(_ value: Value) -> String { value.nameForPeople }

  /// A title that no record had.
  final func newTitle() -> String {
    rowCount += 1
    return "r\(rowCount)"
  }

  // MARK: The kind of world

  /// The first records come.
  func begin() throws {}
  /// Something happens.
  func step() throws {}
  /// The network and the server are sound again, and everybody syncs until nothing is left.
  func comeToRest() throws {}
  /// The first rule that does not hold in the end.
  func check() throws -> Violation? { nil }
}
