// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// Cuts the objects out of a JSON export that comes in parts, without holding all of it.
///
/// An export is a list of objects, an object with such a list under `results`, or one with a list for each class. The
/// objects themselves are not read here.
package struct ObjectSplitter {
  /// One object of an export.
  package struct Part: Sendable, Equatable {
    /// The name of the list; nil where the export is the list.
    package var list: String?
    package var text: Data
  }

  /// Why a file is no export, as the end of a sentence.
  package enum Failure: Error, Equatable {
    case otherKind(String)
    case damaged(String)
  }

  /// The longest text of one object: a server takes no larger one.
  private static let longest = 32 << 20

  private var open: [UInt8] = []
  private var isInString = false
  private var isEscaped = false
  private var isBehindName = false
  private var name: [UInt8] = []
  private var object: [UInt8]?
  private var hasEnded = false
  /// Whether the file has had a list so far.
  private var hasList = false

  package init() {}

  /// Takes the next bytes.
  ///
  /// - Returns: The objects that are complete now.
  package mutating func take(_ bytes: some Sequence<UInt8>) throws(Failure) -> [Part] {
    var parts: [Part] = []
    for byte in bytes { if let part = try take(byte) { parts.append(part) } }
    return parts
  }

  /// Checks that the file ends where its lists do.
  package func finish() throws(Failure) {
    guard hasEnded else {
      throw open.isEmpty ? .otherKind("is empty") : .damaged("ends before it is complete")
    }
    guard hasList else { throw .otherKind("has no list of objects") }
  }

  /// How deep the objects lie: in the list that the file is, or in one of its members.
  private var depthOfObjects: Int { open.first == UInt8(ascii: "[") ? 1 : 2 }

  private var isInList: Bool {
    open.count == depthOfObjects && open.last == UInt8(ascii: "[")
  }

  private mutating func take(_ byte: UInt8) throws(Failure) -> Part? {
    if isInString {
      takeInString(byte)
      return nil
    }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
      object?.append(byte)
    case UInt8(ascii: "\""):
      guard !open.isEmpty else { throw .otherKind("is no JSON object and no list") }
      try checkIsObject(byte)
      isInString = true
      if open.count == 1, !isBehindName { name = [] }
      object?.append(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["): try begin(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return try end(byte)
    case UInt8(ascii: ":"), UInt8(ascii: ","):
      if open.count == 1 { isBehindName = byte == UInt8(ascii: ":") }
      object?.append(byte)
    default:
      guard !open.isEmpty else { throw .otherKind("is no JSON object and no list") }
      try checkIsObject(byte)
      object?.append(byte)
    }
    if let object, object.count > Self.longest {
      throw .damaged("has an object of more than \(Self.longest >> 20) MiB")
    }
    return nil
  }

  private func checkIsObject(_ byte: UInt8) throws(Failure) {
    guard isInList, byte != UInt8(ascii: "{") else { return }
    throw .otherKind("has something else than objects in a list")
  }

  private mutating func takeInString(_ byte: UInt8) {
    object?.append(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      return
    }
    if open.count == 1, !isBehindName, name.count < 512 { name.append(byte) }
  }

  private mutating func begin(_ byte: UInt8) throws(Failure) {
    guard !hasEnded else { throw .otherKind("has more than one JSON text") }
    try checkIsObject(byte)
    if object == nil, isInList, byte == UInt8(ascii: "{") { object = [] }
    object?.append(byte)
    open.append(byte)
    if isInList { hasList = true }
    guard open.count <= 1000 else { throw .damaged("is nested too deep") }
  }

  private mutating func end(_ byte: UInt8) throws(Failure) -> Part? {
    let opening = byte == UInt8(ascii: "}") ? UInt8(ascii: "{") : UInt8(ascii: "[")
    guard open.popLast() == opening else { throw .damaged("has a bracket where none may be") }
    object?.append(byte)
    hasEnded = open.isEmpty
    guard let text = object, isInList else { return nil }
    object = nil
    let list = depthOfObjects == 1 ? nil : String(decoding: name, as: UTF8.self)
    return Part(list: list, text: Data(text))
  }
}
