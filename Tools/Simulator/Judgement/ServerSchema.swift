// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

/// The changes of the server's schema that no device learns of, and the values of a field that no device declares.
final class ServerSchema {
  private let classes: ClassTable
  /// The field of the server's records that no device declares.
  private let undeclaredField: String
  /// The classes whose later field was dropped.
  private var dropped: Set<String> = []
  /// The classes whose later field has values of another type now.
  private(set) var retyped: Set<String> = []
  /// The values of the undeclared field, by record.
  private var undeclared: [Pointer: LoopbackValue] = [:]
  /// The first value that a device changed.
  private(set) var violation: Violation?

  init(_ world: World, _ classes: ClassTable) {
    self.classes = classes
    undeclaredField = world.undeclaredField
  }

  func dropped(_ className: String) {
    dropped.insert(className)
    retyped.remove(className)
  }

  /// The field came back with another type.
  func retyped(_ className: String) { retyped.insert(className) }

  /// Whether the server's schema is as the devices know it.
  var isKnown: Bool { dropped.isEmpty && retyped.isEmpty }

  /// Whether a device may still have a value that the server's owner dropped.
  ///
  /// Documented: no record gets a new stamp when its field is dropped, so no listing shows that.
  func mayLack(_ field: String, of className: String) -> Bool {
    classes.isLater(field, of: className) && dropped.contains(className)
  }

  func committed(_ commit: LoopbackCommit, by sender: Sender) {
    let record = Pointer(className: commit.className, objectID: commit.objectId)
    let value = commit.fields?[undeclaredField]
    let before = undeclared.updateValue(value ?? .null, forKey: record)
    guard let fields = commit.fields else {
      undeclared[record] = nil
      return
    }
    guard let before, case .request = sender, before != value ?? .null else { return }
    violation =
      violation
      ?? Violation(
        .blindWrite,
        "a device changed \(undeclaredField) of \(classes.name(of: commit.className, fields) ?? "?"), "
          + "which it does not declare")
  }
}
