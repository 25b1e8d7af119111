// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation

/// The parts of a request's body.
struct AskedBody {
  struct Item {
    var method: HTTPMethod
    var path: String
    var body: [String: Value]
  }

  var members: [String: Value] = [:]

  init(_ bytes: Data) {
    if case .object(let members)? = try? Value(json: String(decoding: bytes, as: UTF8.self)) {
      self.members = members
    }
  }

  /// The items of a batch; nil for any other body.
  var requests: [Item]? {
    guard case .array(let items)? = members["requests"] else { return nil }
    return items.map { item in
      guard case .object(let members) = item, case .string(let method)? = members["method"],
        case .string(let path)? = members["path"]
      else { return Item(method: .get, path: "", body: [:]) }
      var body: [String: Value] = [:]
      if case .object(let members)? = members["body"] { body = members }
      return Item(method: HTTPMethod(rawValue: method), path: path, body: body)
    }
  }
}
