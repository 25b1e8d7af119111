// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// A policy's decision about one field in conflict.
enum FieldDecision: Equatable {
  /// One side's value stays.
  case side(FieldChoice)
  /// The app's resolver gave a value.
  case resolved(Value)
  /// The app's resolver failed, so the server's value stays; with the failure as a sentence.
  case failed(String)

  /// The app's value, if the field can hold it.
  init(_ value: Value, for field: Field) {
    if field.name == Fields.accessList, let objection = value.objectionAsAccessList {
      self = .failed(objection)
    } else if let refusal = value.reason(againstWritingTo: field.type) {
      self = .failed(
        "It gave a value that the field \(field.name) cannot hold. \(refusal.sentence)")
    } else {
      self = .resolved(value.normalized(for: field.type))
    }
  }

  /// The value that stays in the row.
  func value(of conflict: FieldConflict) -> Value {
    switch self {
    case .side(.local): conflict.local
    case .side(.remote), .failed: conflict.remote
    case .resolved(let value): value
    }
  }

  /// The reason in the conflict records.
  var reason: ConflictRecord.Reason {
    switch self {
    case .side(.local): .localWon
    case .side(.remote): .remoteWon
    case .resolved: .resolved
    case .failed: .resolverFailed
    }
  }
}

extension ConflictPolicy {
  /// Decides about a field in conflict of one record.
  ///
  /// The app's resolver of records is called once, and the resolver of fields once for each field.
  func decide(_ conflict: RecordConflict, of fields: [Field]) -> [FieldDecision] {
    switch self {
    case .remoteWins: fields.map { _ in .side(.remote) }
    case .localWins: fields.map { _ in .side(.local) }
    case .choosingByField(let choices): fields.map { .side(choices[$0.name] ?? .remote) }
    case .resolvingFields(let resolver):
      fields.map { field in
        do {
          return FieldDecision(try resolver(conflict.conflict(in: field.name)), for: field)
        } catch {
          return .failed("It threw an error for the field \(field.name): \(error)")
        }
      }
    case .resolvingRecords(let resolver): Self.decide(conflict, of: fields, by: resolver)
    }
  }

  /// The values of a record may depend on each other, so that one wrong value voids all.
  private static func decide(
    _ conflict: RecordConflict, of fields: [Field], by resolver: (RecordConflict) throws -> Fields
  ) -> [FieldDecision] {
    let resolved: Fields
    do {
      resolved = try resolver(conflict)
    } catch {
      return fields.map { _ in .failed("It threw an error: \(error)") }
    }
    if let name = resolved.names.first(where: { !conflict.fields.contains($0) }) {
      return fields.map { _ in .failed("It gave a value for \(name), which is not in conflict.") }
    }
    let decisions = fields.map { field in
      resolved[field.name].map { FieldDecision($0, for: field) }
        ?? .resolved(conflict.remote[field.name] ?? .null)
    }
    let failure = decisions.first { $0.reason == .resolverFailed }
    return failure.map { failure in fields.map { _ in failure } } ?? decisions
  }
}
