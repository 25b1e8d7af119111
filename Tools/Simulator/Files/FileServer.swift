// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import LoopbackParse

/// The server of a world of files: it notes who sent which file, and what its records name.
final class FileServer: LedgerServer, @unchecked Sendable {
  /// A file that a device sent.
  struct Upload {
    var device: Int
    /// The name that the device gave.
    var given: String
  }

  /// The sums of all contents that the server ever had, by the server's names of their files.
  private(set) var sums: [String: String] = [:]
  private(set) var uploads: [String: Upload] = [:]
  /// The names of files that a record had at any time.
  private(set) var named: Set<String> = []
  /// The rows of which a record was deleted.
  private(set) var removed: Set<String> = []
  /// How many requests have changed something.
  private(set) var changeCount = 0
  /// Takes note of each other content of a record.
  var arrived: ((_ content: String?, RowField, _ isNew: Bool, _ isLate: Bool) -> Void)?
  /// Takes note of the content that a device has replaced in a record.
  var overwritten: ((_ content: String, RowField, _ device: Int) -> Void)?
  /// The first rule that a request broke.
  var violation: Violation?
  private var last: [String: LedgerRecord] = [:]

  private var fileFields: [String] {
    entity.fields.filter { $0.type == .file }.map(\.name)
  }

  override func answer(
    _ request: LoopbackRequest, from device: Int, isLate: Bool = false
  ) -> LoopbackResponse {
    let answer = super.answer(request, from: device, isLate: isLate)
    guard request.method != "GET", request.method != "HEAD" else { return answer }
    note(request, answer, from: device)
    look(at: device, isLate: isLate)
    return answer
  }

  /// The content of a value, by its sum; nil for none.
  func content(of value: Value?) -> String? {
    guard case .file(let file)? = value else { return nil }
    return file.unsent?.sha256 ?? sums[file.name]
  }

  private func note(_ request: LoopbackRequest, _ answer: LoopbackResponse, from device: Int) {
    let parts = request.target.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
    guard parts.count == 3, parts[1] == "files", answer.status < 300 else { return }
    if request.method == "DELETE" {
      let isNamed = last.values.contains { record in
        fileFields.contains { record.fields[$0] == .file(File(name: parts[2])) }
      }
      if isNamed || uploads[parts[2]]?.device != device {
        violation =
          violation ?? Violation(.lostWrite, "the file \(parts[2]) was removed from the server")
      }
    } else if let name = (try? LoopbackValue(json: answer.body))?["name"]?.string {
      note(request.body, of: name)
      uploads[name] = Upload(device: device, given: parts[2])
    }
    changeCount += 1
  }

  func note(_ bytes: [UInt8], of name: String) {
    var sum = SHA256()
    bytes.withUnsafeBytes { sum.add($0) }
    sums[name] = sum.text
  }

  /// Compares the records with those of the last look.
  func look(at device: Int?, isLate: Bool = false) {
    let present = recordsByID()
    for (id, record) in last where present[id] == nil {
      removed.formUnion([record.title].compactMap(\.self))
    }
    let files = Set(self.files.keys)
    for (id, record) in present.sorted(by: { $0.key < $1.key }) {
      guard let title = record.title else { continue }
      let former = last[id]
      if former?.fields != record.fields { changeCount += 1 }
      for field in fileFields where former?.fields[field] != record.fields[field] {
        let place = RowField(row: title, field: field)
        if case .file(let file)? = record.fields[field] {
          named.insert(file.name)
          if !files.contains(file.name) {
            violation =
              violation
              ?? Violation(
                .phantom, "\(title).\(field) names \(file.name), which the server does not have")
          }
        }
        if let device, !isLate, let old = content(of: former?.fields[field]) {
          overwritten?(old, place, device)
        }
        let content = content(of: record.fields[field])
        if content != self.content(of: former?.fields[field]) {
          arrived?(content, place, former == nil, isLate)
        }
      }
    }
    last = present
  }
}
