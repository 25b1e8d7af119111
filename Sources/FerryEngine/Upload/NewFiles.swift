// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The new files in the fields that changes send.
struct NewFiles {
  /// The fields for files, by class; only classes that have some are there.
  private let fields: [String: Set<String>]

  init(_ schema: Schema) {
    var fields: [String: Set<String>] = [:]
    for entity in schema.entities {
      let names = entity.fields.filter { $0.type == .file }.map(\.name)
      if !names.isEmpty { fields[entity.name] = Set(names) }
    }
    self.fields = fields
  }

  /// Whether a change sends a field for files.
  func mayConcern(_ entry: OutboxEntry) -> Bool {
    guard let names = fields[entry.className] else { return false }
    return !names.isDisjoint(with: entry.changed)
  }

  /// Whether a change sends a new file.
  func areIn(_ entry: OutboxEntry, _ row: Record?) -> Bool {
    guard let row else { return false }
    return !files(of: [entry], [entry.key: row]).isEmpty
  }

  /// The new files of one change, by field.
  func unsent(of entry: OutboxEntry, _ row: Record?) -> [String: UnsentFile] {
    guard let row else { return [:] }
    return files(of: [entry], [entry.key: row])[entry.key]?.compactMapValues(\.unsent) ?? [:]
  }

  /// The files by record and field; only records that have some are there.
  func files(
    of entries: [OutboxEntry], _ rows: [RecordKey: Record]
  ) -> [RecordKey: [String: File]] {
    guard !fields.isEmpty else { return [:] }
    var files: [RecordKey: [String: File]] = [:]
    for entry in entries {
      guard let names = fields[entry.className], let row = rows[entry.key] else { continue }
      for name in names where entry.kind == .create || entry.changed.contains(name) {
        if case .file(let file) = row[name], file.isUnsent {
          files[entry.key, default: [:]][name] = file
        }
      }
    }
    return files
  }
}
