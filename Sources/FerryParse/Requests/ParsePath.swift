// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

/// A path below the mount path, made of checked and escaped parts.
package struct ParsePath: Hashable, Sendable {
  package let text: String

  static let batch = ParsePath(text: "/batch")
  static let health = ParsePath(text: "/health")
  static let serverInfo = ParsePath(text: "/serverInfo")
  static let schemas = ParsePath(text: "/schemas")
  static let serverModule = ParsePath(text: "/functions/ferryModule")
  static let deletions = ParsePath(text: "/functions/ferryDeletions")
  static let removed = ParsePath(text: "/functions/ferryRemoved")
  static let users = ParsePath(text: "/users")
  static let currentUser = ParsePath(text: "/users/me")
  static let login = ParsePath(text: "/login")
  static let logout = ParsePath(text: "/logout")
  static let passwordReset = ParsePath(text: "/requestPasswordReset")

  private init(text: String) {
    self.text = text
  }

  package init(className: String) throws(RequestError) {
    let rest = className.utf8.drop { $0 == UInt8(ascii: "_") }
    let isName = rest.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    guard let first = rest.first, first.isASCIILetter, isName else {
      throw RequestError(
        code: .unusableName,
        message:
          "\(className.debugDescription) cannot be the name of a class: letters, digits and _ "
          + "only, beginning with a letter. Nothing was sent.")
    }
    text = "/classes/\(className)"
  }

  /// The path of the fields, permissions and indexes of a class.
  package init(schemaOf className: String) throws(RequestError) {
    _ = try ParsePath(className: className)
    text = "/schemas/\(className)"
  }

  package init(className: String, objectID: String) throws(RequestError) {
    try self.init(try ParsePath(className: className), objectID: objectID)
  }

  /// The path of a user; it alone changes a user's session with the password.
  init(userID: String) throws(RequestError) {
    try self.init(.users, objectID: userID)
  }

  /// The path of a function of Cloud Code.
  init(functionNamed name: String) throws(RequestError) {
    guard Self.isSegment(name) else {
      throw RequestError(
        code: .unusableName,
        message: "\(name.debugDescription) cannot be the name of a function. Nothing was sent.")
    }
    text = "/functions/\(Self.escaped(name))"
  }

  /// The path of a file of the server, whatever name it gave.
  init(ofFileNamed name: String) {
    text =
      "/files/"
      + name.split(separator: "/").map { Self.escaped(String($0)) }
      .joined(separator: "/")
  }

  /// The path under which a new file is sent.
  package init(fileNamed name: String) throws(RequestError) {
    guard FileName.isSendable(name) else {
      throw RequestError(
        code: .unusableName,
        message: "\(name.debugDescription) cannot be the name of a file. Nothing was sent.")
    }
    text = "/files/\(Self.escaped(name))"
  }

  private init(_ folder: ParsePath, objectID: String) throws(RequestError) {
    guard Self.isSegment(objectID) else {
      throw RequestError(
        code: .unusableName,
        message: "\(objectID.debugDescription) cannot be an object id in a path. Nothing was sent.")
    }
    text = "\(folder.text)/\(Self.escaped(objectID))"
  }

  /// Whether a text can be a part of a path.
  ///
  /// A path of dots names another resource, even if it is escaped. The server fails at a zero byte.
  private static func isSegment(_ text: String) -> Bool {
    !text.utf8.allSatisfy { $0 == UInt8(ascii: ".") } && !text.utf8.contains(0)
  }

  /// Escapes all characters except letters, digits, `-`, `_`, `.` and `~`.
  private static func escaped(_ part: String) -> String {
    let plain = Set("-_.~".utf8)
    var bytes: [UInt8] = []
    for byte in part.utf8 {
      if byte.isASCIILetter || byte.isASCIIDigit || plain.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += Array((byte < 16 ? "%0" : "%").utf8)
        bytes += Array(String(byte, radix: 16, uppercase: true).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  fileprivate var isASCIIDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
