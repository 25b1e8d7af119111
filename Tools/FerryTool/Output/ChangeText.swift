// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension Change {
  /// The change on one line.
  var text: String {
    var parts = ["\(token.rawValue)", className, rows, kindName, "by \(authorName)"]
    if !fields.isEmpty { parts.append(fields.sorted().joined(separator: ", ")) }
    return parts.joined(separator: "  ")
  }

  var json: JSONMessage {
    JSONMessage(
      "change",
      [
        "token": .integer(token.rawValue), "class": .string(className),
        "first_local_id": .integer(localIDs.lowerBound.rawValue),
        "last_local_id": .integer(localIDs.upperBound.rawValue), "kind": .string(kindName),
        "author": .string(authorName), "fields": .texts(fields.sorted()),
      ])
  }

  private var rows: String {
    let (first, last) = (localIDs.lowerBound, localIDs.upperBound)
    return first == last ? "#\(first)" : "#\(first)-\(last)"
  }

  private var kindName: String {
    switch kind {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }

  private var authorName: String {
    switch author {
    case .app: "app"
    case .sync: "sync"
    }
  }
}
