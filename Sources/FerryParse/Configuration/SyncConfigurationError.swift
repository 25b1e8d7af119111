// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Where and why the text of a `ferry.json` is not as it should be.
public struct SyncConfigurationError: Error, Sendable, Equatable {
  /// The line of the fault, counted from 1.
  public var line: Int
  /// The column of the fault in bytes, counted from 1.
  public var column: Int
  /// The fault as a clause, without its full stop.
  public var fault: String
  /// The key that the file may not have, if that is the fault; `SyncConfiguration.keys` has the keys
  /// that it may have.
  public var unknownKey: String?

  /// A fault of the value at a path of keys, or of the last value on the way that is there.
  init(at path: [String], in text: Data, _ fault: String, unknownKey: String? = nil) {
    var path = path
    var place = JSONPlace.ofValue(at: path, in: text)
    while place == nil, !path.isEmpty {
      path.removeLast()
      place = JSONPlace.ofValue(at: path, in: text)
    }
    (line, column) = (place?.line ?? 1, place?.column ?? 1)
    self.fault = fault.hasSuffix(".") ? String(fault.dropLast()) : fault
    self.unknownKey = unknownKey
  }

  /// A text that the reader refused because of its syntax or its bytes.
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

extension SyncConfigurationError: CustomStringConvertible {
  /// The place and the fault, as a sentence.
  public var description: String { "Line \(line), column \(column): \(fault)." }
}
