// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import Foundation

/// Reads the JSON of another library's objects.
///
/// The local datastore of Parse's SDK keeps the record as the server last sent it, with the sets of unsent edits in
/// `__operations`. An object without a key of its source, as in a server's export, is a record alone: all its members are
/// fields. Use one reader per thread.
package struct LocalObjectReader {
  /// Why an object cannot be read, as a sentence.
  package struct Failure: Error, Equatable {
    package var reason: String
  }

  /// The record to which a key of the source points; nil for one that no row will have.
  package typealias Resolving = (String) throws(ObjectSourceError) -> Pointer?

  private let json = JSONReader()

  package init() {}

  /// The server's id of an object; nil inside for a new one, and nil for one of which no row can be made.
  package func identity(of object: KeptObject) -> String?? {
    guard let text = object.json, let members = try? members(of: text) else {
      return object.objectID.map { .some($0) }
    }
    if let id = objectID(members, object) { return id }
    return isDeleted(members, object) ? nil : .some(nil)
  }

  /// Reads an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - resolve: Finds the record of a key, as in `{"__type":"OfflineObject","uuid":"…"}`.
  /// - Returns: The object, or why it cannot be read.
  /// - Throws: The error of the closure.
  package func read(
    _ object: KeptObject, resolving resolve: Resolving
  ) throws(ObjectSourceError) -> Result<LocalObject, Failure> {
    guard let text = object.json else {
      return .failure(Failure(reason: "The source has only its key."))
    }
    var members: [String: Value]
    do throws(Failure) {
      members = try self.members(of: text)
    } catch {
      return .failure(error)
    }
    let sets = object.isRecord ? nil : members.removeValue(forKey: "__operations")
    var record = text
    if text.mentionsKeys {
      // The record of an object may point to one that was new when it was kept.
      for (name, value) in members {
        members[name] = try resolved(value, resolve) ?? .null
      }
      record = Data(WireJSON.text(.object(members)).utf8)
    }
    var edits: [LocalEdit] = []
    if case .array(let sets)? = sets {
      for (number, set) in sets.enumerated() {
        guard case .object(let set) = set else {
          return .failure(Failure(reason: "Its unsent edits are no JSON objects."))
        }
        edits.append(try edit(set, number, of: object, resolve))
      }
    } else if let sets, !sets.isNull {
      return .failure(Failure(reason: "Its unsent edits are no list."))
    }
    return .success(
      LocalObject(
        objectID: objectID(members, object), record: record,
        isComplete: object.isRecord || members["__complete"]?.isTrue ?? true,
        names: Set(members.keys).subtracting(object.isRecord ? [] : LocalObject.ownNames)
          .subtracting(LocalObject.recordNames),
        edits: edits.filter { !$0.changes.isEmpty },
        isDeleted: isDeleted(members, object),
        pinnedCommand: object.className == "_EventuallyPin" ? command(of: edits) : nil))
  }

  private func objectID(_ members: [String: Value], _ object: KeptObject) -> String? {
    if case .string(let id)? = members["objectId"], !id.isEmpty { id } else { object.objectID }
  }

  private func isDeleted(_ members: [String: Value], _ object: KeptObject) -> Bool {
    object.isDeleted || !object.isRecord && members["isDeletingEventually"]?.isTrue ?? false
  }

  private func members(of text: Data) throws(Failure) -> [String: Value] {
    let read: Result<[String: Value]?, JSONError>
    do {
      read = try json.document(text) { root in
        guard root.kind == .object else { return .success(nil) }
        do throws(JSONError) { return .success(try Value.members(of: root)) } catch {
          return .failure(error)
        }
      }
    } catch {
      throw Failure(reason: "Its JSON \(error.reason).")
    }
    switch read {
    case .success(let members?): return members
    case .success(nil): throw Failure(reason: "Its JSON is no object.")
    case .failure(let error): throw Failure(reason: "Its JSON \(error.reason).")
    }
  }

  private func edit(
    _ set: [String: Value], _ number: Int, of object: KeptObject, _ resolve: Resolving
  ) throws(ObjectSourceError) -> LocalEdit {
    var id: String?
    var changes: [String: LocalEdit.Change] = [:]
    for (name, value) in set {
      switch name {
      case "__uuid": if case .string(let uuid) = value { id = uuid }
      // These say when and by which call the SDK kept the set.
      case "__updatedAt", "__isSaveEventually": break
      default: changes[name] = try change(value, resolve)
      }
    }
    let key = "\(object.uuid ?? object.objectID ?? "") \(number) \(WireJSON.text(.object(set)))"
    return LocalEdit(id: id ?? SHA256.text(of: key), changes: changes)
  }

  private func change(
    _ value: Value, _ resolve: Resolving
  ) throws(ObjectSourceError) -> LocalEdit.Change {
    guard let value = try resolved(value, resolve) else {
      return .refused(
        .unresolvedPointer, "It points to a new object of which no row can be made.")
    }
    guard case .object(let members) = value, let operation = members["__op"] else {
      return .set(value)
    }
    var operations: [ParseOperation?] = [ParseOperation(wire: value)]
    if operation == .string("Batch"), case .array(let parts)? = members["ops"] {
      operations = parts.map(ParseOperation.init(wire:))
    }
    let known = operations.compactMap(\.self)
    guard known.count == operations.count else {
      return .refused(.unreadable, "Ferry does not know the operation \(operation.json).")
    }
    return .operations(known)
  }

  /// A value with the records of the source's keys; nil if one of them has none.
  private func resolved(
    _ value: Value, _ resolve: Resolving
  ) throws(ObjectSourceError) -> Value? {
    switch value {
    case .array(let elements):
      var found: [Value] = []
      for element in elements {
        guard let element = try resolved(element, resolve) else { return nil }
        found.append(element)
      }
      return .array(found)
    case .object(let members):
      if members["__type"] == .string("OfflineObject") {
        guard case .string(let uuid)? = members["uuid"] else { return nil }
        return try resolve(uuid).map(Value.pointer)
      }
      // The SDK keeps local ids elsewhere, and only until the object is saved.
      if members["__type"] == .string("Pointer"), members["localId"] != nil { return nil }
      var found: [String: Value] = [:]
      for (name, member) in members {
        guard let member = try resolved(member, resolve) else { return nil }
        found[name] = member
      }
      return .object(found)
    default: return value
    }
  }

  /// The kind of request that waits: 1 for a save, 2 for a delete, which the object itself shows, and 3 for any other.
  private func command(of edits: [LocalEdit]) -> Int64? {
    for edit in edits.reversed() {
      if case .set(.integer(let type))? = edit.changes["type"] { return type }
    }
    return nil
  }
}

extension KeptObject {
  /// Whether the object is a record of the server, and no library has added members to it.
  fileprivate var isRecord: Bool { uuid == nil }
}

extension Data {
  /// Whether a text may have keys of its source where pointers belong.
  fileprivate var mentionsKeys: Bool {
    range(of: Data("OfflineObject".utf8)) != nil || range(of: Data("localId".utf8)) != nil
  }
}

extension Value {
  /// Whether the value is true, or a number other than zero.
  ///
  /// The SDK writes a flag in either form.
  fileprivate var isTrue: Bool {
    switch self {
    case .boolean(let flag): flag
    default: double.map { $0 != 0 } ?? false
    }
  }
}
