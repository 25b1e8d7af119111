// Ferry: offline-first sync for Parse Server. MIT licence.

/// Object ids that the device mints for rows that the server does not know yet.
///
/// A minted id is 20 lowercase hexadecimal digits: 80 random bits. It is twice as long as an id of
/// Parse Server (10 letters and digits), so nobody can confuse the two.
package enum MintedID {
  package static let length = 20

  /// Makes an id from 80 random bits.
  package static func make(using generator: inout some RandomNumberGenerator) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let characters = (0..<length).map { _ in
      digits[Int(UInt8.random(in: 0..<16, using: &generator))]
    }
    return String(decoding: characters, as: UTF8.self)
  }

  package static func matches(_ objectID: String) -> Bool {
    objectID.utf8.count == length
      && objectID.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
