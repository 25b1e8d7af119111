// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// The content of the engine's notes beside the text that it was read from or written as.
///
/// The engine does not decode a note again whose text is unchanged. The text in the store decides: after a write of
/// another program it differs, and the engine decodes it anew.
package final class DecodedNotes: Sendable {
  /// A longer text is decoded each time, so that its content takes no memory between transactions.
  private static let longestText = 1 << 14

  private struct Note<Content: Sendable>: Sendable {
    let text: String
    let content: Content
  }

  private let notes: Mutex<[String: any Sendable]>

  package convenience init() { self.init([:]) }

  private init(_ notes: [String: any Sendable]) { self.notes = Mutex(notes) }

  /// The same notes, for a copy of the store.
  package func copy() -> DecodedNotes { DecodedNotes(notes.withLock { $0 }) }

  /// The content of a text; nil if it is not known.
  package func content<Content: Sendable>(
    of key: String, in text: String, as type: Content.Type
  ) -> Content? {
    guard let note = notes.withLock({ $0[key] }) as? Note<Content>, note.text == text
    else { return nil }
    return note.content
  }

  /// Keeps the content of a text.
  package func keep<Content: Sendable>(_ content: Content, of key: String, as text: String) {
    let note = text.utf8.count > Self.longestText ? nil : Note(text: text, content: content)
    notes.withLock { $0[key] = note }
  }
}
