// Ferry: offline-first sync for Parse Server. MIT licence.

/// Ferry's own notes as JSON text: in columns of the store, and in manifests of staged pages.
///
/// The keys of objects are in byte order, so equal notes have equal text. The notes may contain values of
/// rows. A `REAL` column can hold an infinity, which JSON has no word for; it is written as `1e999`, a
/// number that no double holds.
package enum StoredJSON {
  /// The text of a note.
  ///
  /// - Throws: `EncodingError` for a number that 64 bits with a sign do not hold.
  package static func text(_ note: some Encodable) throws -> String {
    let node = ValueNode(.notes)
    try node.encode(note, [])
    var writer = WireJSON(infinities: .asLargeNumbers)
    writer.write(node)
    return writer.text
  }

  /// The note of a text.
  ///
  /// - Throws: An error for a text that is no JSON, or a `DecodingError` for one that says something else.
  package static func note<Note: Decodable>(_ type: Note.Type, from text: String) throws -> Note {
    try JSONText.value(text, infinities: .asLargeNumbers).decode(type, in: .notes, [])
  }
}
