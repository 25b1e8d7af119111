// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A change of a field that the server carries out on the value that it has.
package enum FieldOperation: Sendable, Equatable {
  /// Adds a number; a missing value counts as 0.
  case increment(by: Value)
  /// Adds the elements that an array does not have.
  case addUnique([Value])
  /// Removes elements of an array.
  case remove([Value])

  /// The operation that brings a field from the server's value to the row's; nil where the value itself has to be sent.
  ///
  /// - Parameters:
  ///   - merge: The field's merge.
  ///   - base: The server's value before the edits.
  ///   - local: The row's value.
  package init?(_ merge: FieldMerge?, from base: Value, to local: Value) {
    switch merge {
    case .increment:
      guard let amount = Increment.amount(from: base, to: local) else { return nil }
      self = .increment(by: amount)
    case .set:
      guard let difference = SetDifference(from: base, to: local) else { return nil }
      if !difference.added.isEmpty {
        self = .addUnique(difference.added)
      } else if !difference.removed.isEmpty {
        self = .remove(difference.removed)
      } else {
        // Another order means nothing, and an array sent as a whole would replace what others have added.
        self = .remove([])
      }
    case .lines, nil: return nil
    }
  }

  /// Whether the server has the same value if it carries the operation out twice.
  package var isRepeatable: Bool {
    switch self {
    case .increment: false
    case .addUnique, .remove: true
    }
  }

  /// The value to which the operation leads from the base.
  ///
  /// The server carries out one operation on an array in a request. So of an edit that adds and removes elements, the
  /// removal is left for another request.
  package func target(from base: Value, to local: Value) -> Value {
    guard case .addUnique(let added) = self,
      let difference = SetDifference(from: base, to: local), !difference.removed.isEmpty,
      case .array(let elements) = base
    else { return local }
    return .array(elements + added)
  }
}

extension SentElements {
  /// Nil where no operation is one on an array.
  ///
  /// - Parameter operations: The operations of an update, by field.
  package init?(_ operations: [String: FieldOperation]) {
    self.init()
    for (name, operation) in operations {
      switch operation {
      case .addUnique(let elements): added[name] = .array(elements)
      case .remove(let elements): removed[name] = .array(elements)
      case .increment: break
      }
    }
    guard !fields.isEmpty else { return nil }
  }
}
