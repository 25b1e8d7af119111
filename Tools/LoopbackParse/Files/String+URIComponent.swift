// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension String {
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()")

  /// The text in an address, as JavaScript's encodeURIComponent writes it.
  var asURIComponent: String {
    addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? self
  }
}
