// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

extension Schema {
  /// Checks that a class has a file field of that name.
  func checkFileField(_ name: String, of className: String) throws(StoreError) {
    let field = try registered(className).declaredField(name)
    guard field.type == .file else {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(className) is of the type \(field.type.name), so no file was fetched. Name a field of the "
          + "type file.")
    }
  }
}
