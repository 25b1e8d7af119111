// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// How many unsent changes wait because ferry.json leaves out their class or fields.
///
/// The edits of a row are one change, whatever number of its fields is left out.
struct LeftOutChanges: Sendable {
  var classes: [String: Int] = [:]
  /// The changes of each field, by class and field.
  var fields: [String: [String: Int]] = [:]
  /// The changes of any such field, by class.
  private var changesOfFields: [String: Int] = [:]

  init() {}

  init(in store: StoreInspection) throws(StoreError) {
    classes = try store.unsentCountsOfUnregisteredClasses()
    fields = try store.unsentCountsOfUndeclaredFields()
    changesOfFields = try store.unsentRowCountsOfUndeclaredFields()
  }

  /// Those of some classes; of all without names.
  func only(_ names: [String]) -> LeftOutChanges {
    guard !names.isEmpty else { return self }
    var some = LeftOutChanges()
    some.classes = classes.filter { names.contains($0.key) }
    some.fields = fields.filter { names.contains($0.key) }
    some.changesOfFields = changesOfFields.filter { names.contains($0.key) }
    return some
  }

  var count: Int { classes.values.reduce(0, +) + changesOfFields.values.reduce(0, +) }

  /// Says of each class and field how many changes wait.
  var lines: [String] {
    let named = fields.sorted { $0.key < $1.key }.flatMap { className, counts in
      counts.sorted { $0.key < $1.key }.map {
        Self.line("The field \($0.key) of \(className)", $0.value)
      }
    }
    return classes.sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value) } + named
  }

  private static func line(_ name: String, _ count: Int) -> String {
    "\(name) is not in ferry.json, so \(count.grouped) of its changes \(count == 1 ? "waits" : "wait") "
      + "until ferry.json names it."
  }
}

extension JSONMessage {
  /// The same, with the changes that wait by class, and by class and field.
  func with(_ leftOut: LeftOutChanges) -> JSONMessage {
    let fields = leftOut.fields.mapValues { counts in Value.object(counts.mapValues { .count($0) })
    }
    return with("not_named", .object(leftOut.classes.mapValues { .count($0) }))
      .with("fields_not_named", .object(fields))
  }
}
