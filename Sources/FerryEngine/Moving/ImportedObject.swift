// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse

/// An object of another library, read, with the key that its source gives it.
struct ImportedObject {
  /// The source's own key; nil where the source has none.
  var key: String?
  var content: LocalObject

  /// The object as messages name it.
  var name: String { content.objectID ?? key ?? "an object without a key" }

  /// The id under which the row of a new object begins; nil for one that has no key.
  var mintedID: String? { key.map(MintedID.derived(from:)) }
}
