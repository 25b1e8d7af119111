// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import Foundation

/// Where and why the text of `ferry.json` is not as it should be.
struct ConfigurationFault: Error, Equatable {
  /// Both counted from 1.
  var line: Int
  var column: Int
  /// A clause, without its full stop.
  var fault: String

  /// A fault of the value to which keys lead, or of the last on the way that is there.
  init(at path: [String], in text: Data, _ fault: String) {
    var path = path
    var place = JSONPlace.ofValue(at: path, in: text)
    while place == nil, !path.isEmpty {
      path.removeLast()
      place = JSONPlace.ofValue(at: path, in: text)
    }
    (line, column) = (place?.line ?? 1, place?.column ?? 1)
    self.fault = fault.hasSuffix(".") ? String(fault.dropLast()) : fault
  }

  /// A text that the reader refused, for a reason of its syntax or of its bytes.
  init(syntaxOf text: Data, _ error: any Error) {
    if let (place, expected) = JSONPlace.firstFault(in: text) {
      (line, column) = (place.line, place.column)
      fault = "expected \(expected)"
    } else {
      let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
      let broken = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
      (line, column) = (broken.map { $0 + 1 } ?? 1, 1)
      let reason = (error as? JSONError)?.reason ?? "cannot be read: \(error)"
      fault = broken == nil ? "the file \(reason)" : "the line holds bytes that are not UTF-8"
    }
  }
}
