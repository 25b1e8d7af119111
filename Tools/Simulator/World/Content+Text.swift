// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryScenarios

extension Content {
  /// As a story writes it.
  var text: String {
    if case .row(let name) = self { return Self.text(ofRow: name) }
    let value = value { Pointer(className: "", objectID: $0) } ?? .null
    return value.storyText { pointer in
      Self.text(
        ofRow: (pointer.className.isEmpty ? "" : pointer.className + ":") + pointer.objectID)
    }
  }

  private static func text(ofRow name: String) -> String {
    name.firstIndex(of: ":").map { "missing " + name[name.index(after: $0)...] } ?? name
  }
}
