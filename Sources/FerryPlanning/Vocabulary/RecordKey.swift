// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Names a row by its class and its local id, which never change.
package struct RecordKey: Hashable, Sendable, Comparable {
  package var className: String
  package var localID: LocalID

  package init(className: String, localID: LocalID) {
    self.className = className
    self.localID = localID
  }

  package static func < (left: RecordKey, right: RecordKey) -> Bool {
    (left.className, left.localID) < (right.className, right.localID)
  }
}

extension Record {
  package var key: RecordKey { RecordKey(className: className, localID: localID) }

  /// Names the record as the server does.
  package var pointer: Pointer { Pointer(className: className, objectID: objectID) }
}
