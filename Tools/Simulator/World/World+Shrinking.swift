// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// Smaller worlds that are still worlds: nothing in them is about what was left out.
extension World {
  mutating func dropLastDevice() {
    settings.deviceCount -= 1
    let last = settings.deviceCount
    events = events.compactMap { event in
      switch event {
      case .edit(.app(last), _), .relate(.app(last), _), .decide(last, _), .sync(last, _, _, _),
        .reopen(last),
        .reopenOlder(last),
        .reopenRetyped(last, _),
        .switchProgram(last), .backUp(last), .goBack(last, _), .goBack(_, last), .setClock(last, _),
        .renumber(last), .fetch(last, _, _), .askAgain(last, _), .evict(last, _),
        .logIn(last, _), .logOut(last), .endSession(last), .failDisk(last, _):
        return nil
      default:
        return event.with(
          event.interruptions.filter { interruption in
            switch interruption.act {
            case .edit(.app(last), _), .relate(.app(last), _), .sync(last): false
            default: true
            }
          })
      }
    }
  }

  mutating func dropOtherPrograms() {
    settings.hasTwoPrograms = false
    events = events.compactMap { event in
      switch event {
      case .switchProgram: return nil
      default:
        return event.with(
          event.interruptions.filter { if case .other = $0.act { false } else { true } })
      }
    }
  }

  /// Without users nobody could read a private record.
  mutating func dropUsers() {
    settings.owners = []
    for place in classes.indices {
      classes[place].isPrivate = false
      classes[place].isPrivateBySchema = false
    }
  }

  /// Syncs list each class.
  mutating func dropOnDemand() {
    for place in classes.indices { classes[place].isOnDemand = false }
    events.removeAll { event in
      switch event {
      case .fetch, .askAgain, .evict: true
      default: false
      }
    }
  }

  mutating func drop(class place: Int) {
    let name = classes.remove(at: place).name
    for other in classes.indices {
      classes[other].dropMembers(from: name)
      drop(Set(classes[other].pointers.filter { $0.target == name }.map(\.field)), of: other)
    }
    changeEdits { edit in
      if case .insert(_, name, _) = edit { nil } else { edit }
    }
    events.removeAll { event in
      switch event {
      case .allowClass(name, _), .dropField(name), .askAgain(_, name): true
      case .fetch(_, let query, _): query.className == name
      default: false
      }
    }
  }

  /// Takes fields out of a class and its edits.
  mutating func drop(_ fields: Set<String>, of place: Int) {
    guard !fields.isEmpty else { return }
    classes[place].drop(fields)
    let name = classes[place].name
    events.removeAll { event in
      guard case .fetch(_, let query, _) = event, query.className == name else { return false }
      return !query.comparedFields.isDisjoint(with: fields)
    }
    forget(fields, of: classes[place].name)
  }

  /// The fields of a class that may go and that no edit gives a value.
  func unusedFields(of place: Int) -> Set<String> {
    var used: Set<String> = []
    var world = self
    world.changeEdits { edit in
      switch edit {
      case .insert(_, _, let fields), .set(_, let fields): used.formUnion(fields.keys)
      case .delete, .allow: break
      }
      return edit
    }
    return Set(classes[place].droppable).subtracting(used)
  }

  private mutating func forget(_ dropped: Set<String>, of className: String) {
    var rows: Set<String> = []
    changeEdits { edit in
      if case .insert(let row, className, _) = edit { rows.insert(row) }
      return edit
    }
    changeEdits { edit in
      switch edit {
      case .insert(let row, className, var fields):
        fields = fields.filter { !dropped.contains($0.key) }
        return .insert(row, className: className, fields)
      case .set(let row, var fields) where rows.contains(row):
        fields = fields.filter { !dropped.contains($0.key) }
        return fields.isEmpty ? nil : .set(row, fields)
      default: return edit
      }
    }
  }

  private mutating func changeEdits(_ change: (Edit) -> Edit?) {
    given = given.compactMap(change)
    events = events.compactMap { event in
      switch event {
      case .edit(let writer, let edit): return change(edit).map { .edit(writer, $0) }
      case .beginEdit(let edit): return change(edit).map { .beginEdit($0) }
      default:
        return event.with(
          event.interruptions.compactMap { interruption in
            interruption.act.changingEdit(change).map {
              var changed = interruption
              changed.act = $0
              return changed
            }
          })
      }
    }
  }
}

extension Interruption.Act {
  /// The same act with another edit; nil where nothing of the edit is left.
  fileprivate func changingEdit(_ change: (Edit) -> Edit?) -> Interruption.Act? {
    switch self {
    case .edit(let writer, let edit): change(edit).map { .edit(writer, $0) }
    case .other(.edit(let edit)): change(edit).map { .other(.edit($0)) }
    default: self
    }
  }
}
