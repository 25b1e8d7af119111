// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The bytes of an input, of which the first may be choices.
struct FuzzInput {
  /// The bytes behind the choices.
  private(set) var rest: Data

  init(_ bytes: Data) { rest = bytes }

  /// A number from 0 to below the bound; 0 when no byte is left.
  mutating func choice(below bound: Int) -> Int { Int(rest.popFirst() ?? 0) % max(bound, 1) }

  /// The bytes behind the choices as text, with the bytes repaired that are not UTF-8.
  var text: String { String(decoding: rest, as: UTF8.self) }
}
