// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation

/// Ferry's own values as JSON in text columns.
enum StoredJSON {
  // JSON has no infinity, but any program can store one in a REAL column, so an entry may contain
  // one. The leading character belongs to no script or font, so that no real text means a number.
  private static let infinity = "\u{F0F1}infinity"
  private static let negativeInfinity = "\u{F0F1}-infinity"
  private static let notANumber = "\u{F0F1}nan"

  static func text(_ value: some Encodable) throws(StoreError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      throw StoreError(
        .database, "A value could not be written as JSON. Nothing was stored.", cause: error)
    }
  }

  static func decode<Result: Decodable>(_ type: Result.Type, from text: String) throws(StoreError)
    -> Result
  {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
    do {
      return try decoder.decode(type, from: Data(text.utf8))
    } catch {
      throw damaged(cause: error)
    }
  }

  static func damaged(cause: (any Error)? = nil) -> StoreError {
    StoreError(
      .damaged,
      "A row of Ferry's own tables cannot be read: it was changed by another program, or the "
        + "file is damaged. Nothing was changed. Restore a copy of the store, or move it away "
        + "and sync into a new one.", cause: cause)
  }
}
