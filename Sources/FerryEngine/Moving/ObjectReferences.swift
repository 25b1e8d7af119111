// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

/// Finds the records to which the keys of a source point.
struct ObjectReferences {
  let context: StageContext
  let source: any ObjectReader

  /// Reads an object, with pointers to records where it has keys of its source.
  func read(
    _ object: KeptObject, by json: LocalObjectReader
  ) throws(SyncError) -> Result<LocalObject, LocalObjectReader.Failure> {
    // The reader of JSON knows only the errors of a source.
    var failure: SyncError?
    do throws(ObjectSourceError) {
      return try json.read(object) { key throws(ObjectSourceError) in
        do throws(SyncError) {
          return try pointer(key, by: json)
        } catch {
          failure = error
          throw ObjectSourceError(.notAccessible, error.message, cause: error)
        }
      }
    } catch {
      throw failure ?? SyncError(error)
    }
  }

  /// The record of a key; nil for one that has no row yet, or will have none.
  private func pointer(_ key: String, by json: LocalObjectReader) throws(SyncError) -> Pointer? {
    let object: KeptObject?
    do throws(ObjectSourceError) {
      object = try source.object(uuid: key)
    } catch {
      throw SyncError(error)
    }
    guard let object, let identity = json.identity(of: object) else { return nil }
    if let id = identity { return Pointer(className: object.className, objectID: id) }
    guard context.schema.entity(object.className) != nil else { return nil }
    let id = MintedID.derived(from: key)
    return try context.read { reader throws(StoreError) in
      let present = try reader.aliases(of: [id])[id] ?? id
      // Before the row is here, a sync could send a pointer to no record. So such a field waits for the second pass.
      let row = try reader.record(of: object.className, objectID: present)
      return row.map { Pointer(className: object.className, objectID: $0.objectID) }
    }
  }
}
