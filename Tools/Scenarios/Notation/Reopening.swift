// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The difference in the classes when an app is opened again.
enum Reopening: Sendable {
  case unchanged
  case gaining(StoryFields)
  case losing(field: String, className: String)
  /// Without a class, which is there again at the next opening.
  case hiding(className: String)
  /// The class has another filter, or none.
  case keeping(Condition?, className: String)
  /// A field declares a merge.
  case merging(Field, className: String)
}

extension Schema {
  /// The classes as the app declares them from now on.
  func reopened(_ change: Reopening) -> Schema {
    switch change {
    case .unchanged: self
    case .gaining(let addition): changing(addition.className) { $0.add(addition.fields) }
    case .losing(let field, let className):
      changing(className) { $0.fields.removeAll { $0.name == field } }
    case .hiding(let className): Schema(entities.filter { $0.name != className })
    case .keeping(let filter, let className): changing(className) { $0.recordFilter = filter }
    case .merging(let field, let className):
      changing(className) { entity in
        entity.fields = entity.fields.map { $0.name == field.name ? field : $0 }
      }
    }
  }

  private func changing(_ className: String, _ change: (inout Entity) -> Void) -> Schema {
    Schema(
      entities.map { entity in
        guard entity.name == className else { return entity }
        var entity = entity
        change(&entity)
        return entity
      })
  }
}

extension Entity {
  /// Gains fields, or declares some with another type.
  fileprivate mutating func add(_ added: [Field]) {
    for field in added {
      guard let place = fields.firstIndex(where: { $0.name == field.name }) else {
        fields.append(field)
        continue
      }
      guard fields[place].type != field.type else { continue }
      // A column cannot keep values of another type: the field gets another column.
      fields[place] = Field(field.name, field.type, column: fields[place].column + "2")
    }
  }
}
