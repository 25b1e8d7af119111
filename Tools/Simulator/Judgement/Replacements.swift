// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

/// The values that each app replaced, although it saw them or wrote them itself.
final class Replacements {
  private let identities: Identities
  private let classes: ClassTable
  /// The values that each app replaced, and when.
  private var replaced: [[RowField: [Content: Int]]]
  /// The values that each app wrote.
  private var own: [[RowField: Set<Content>]]
  /// The values that each app brought back by taking an edit back.
  private var returned: [[RowField: Set<Content>]]
  /// When the server last took each value, and from which device that waited for the answer.
  private var taken: [RowField: [Content: (time: Int, device: Int?)]] = [:]
  /// The server's values, by record.
  private var held: [Pointer: [String: LoopbackValue]] = [:]
  /// The number of edits and commits so far.
  private var time = 0

  init(_ deviceCount: Int, _ classes: ClassTable, _ identities: Identities) {
    self.classes = classes
    self.identities = identities
    replaced = Array(repeating: [:], count: deviceCount)
    own = Array(repeating: [:], count: deviceCount)
    returned = own
  }

  /// An app made an edit of a row of a class; `previous` are the values that it saw there.
  func made(_ edit: Edit, of className: String?, over previous: [String: Content], on device: Int) {
    time += 1
    // Documented: a row whose deletion was refused comes back as the server has it.
    if case .delete(let row) = edit {
      replaced[device] = replaced[device].filter { $0.key.row != row }
    }
    let (row, fields): (String, [String: Content]) =
      switch edit {
      case .insert(let row, _, let fields), .set(let row, let fields): (row, fields)
      case .delete(let row), .allow(let row, _): (row, [:])
      }
    for (field, content) in fields {
      let place = RowField(row: row, field: field)
      if let old = previous[field], old != content, old.isStamp,
        !classes.isUnstamped(field, of: className), returned[device][place]?.contains(old) != true
      {
        replaced[device][place, default: [:]][old] = time
      }
      replaced[device][place]?[content] = nil
      own[device][place, default: []].insert(content)
    }
  }

  /// An app took an edit back, which brought values back.
  ///
  /// A redo replaces them, and is no edit to send: another client's same value may come.
  func tookBack(_ edit: Edit, on device: Int) {
    guard case .set(let row, let fields) = edit else { return }
    for (field, content) in fields {
      returned[device][RowField(row: row, field: field), default: []].insert(content)
    }
  }

  func committed(_ commit: LoopbackCommit, by device: Int?) {
    time += 1
    let record = Pointer(className: commit.className, objectID: commit.objectId)
    let contents = classes.contents(of: commit) ?? [:]
    let before = held.updateValue(contents, forKey: record)
    let row = identities.name(record)
    for (field, value) in contents where before?[field] != value {
      taken[RowField(row: row, field: field), default: [:]][
        Content(value, name: identities.name)] = (time, device)
    }
  }

  /// The server's owner dropped a field of a class.
  ///
  /// The next write of that field changes the record.
  func dropped(_ field: String, of className: String) {
    for record in held.keys where record.className == className { held[record]?[field] = nil }
  }

  /// Whether the app of a device replaced a value, and nobody else wrote it to the server since.
  func isReplaced(_ content: Content, in place: RowField, on device: Int) -> Bool {
    guard let time = replaced[device][place]?[content] else { return false }
    guard let last = taken[place]?[content], last.time >= time else { return true }
    // The value of an own late request is no other client's.
    guard own[device][place]?.contains(content) == true else { return false }
    return last.device.map { $0 == device } ?? true
  }
}

extension Content {
  /// Whether only one write used it.
  fileprivate var isStamp: Bool {
    switch self {
    case .empty, .flag, .row, .array([]), .object([:]): false
    case .text, .number, .half, .fraction, .date, .bytes, .object, .array, .place, .area, .file:
      true
    }
  }
}
