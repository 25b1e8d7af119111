// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation

/// A part of Ferry that reads bytes which others wrote.
///
/// Whatever the bytes are, it must not trap, hang or take memory without bound, and its laws must hold.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A page of records, as a server answers to a query.
  case page
  /// A value as JSON, and as a property of a Swift type.
  case value
  /// Answers to batches and to all other requests.
  case batchAnswer = "batch-answer"
  /// Dates in records, columns and headers.
  case date
  /// The position of a listing, and the manifest of staged pages.
  case cursor
  /// A `ferry.json`.
  case manifest
  /// The arguments of the tool, one a line.
  case arguments
  /// A database file.
  case store
  /// A story.
  case story
  /// The decisions of a simulated world.
  case world

  /// Gives the bytes to the target.
  ///
  /// - Throws: `BrokenLaw` for a law that does not hold.
  package func check(_ bytes: Data) throws(BrokenLaw) {
    switch self {
    case .page: try Self.checkPage(bytes)
    case .value: try Self.checkValue(bytes)
    case .batchAnswer: try Self.checkAnswers(FuzzInput(bytes))
    case .date: try Self.checkDates(bytes)
    case .cursor: try Self.checkCursor(bytes)
    case .manifest: try Self.checkManifest(bytes)
    case .arguments: try Self.checkArguments(bytes)
    case .store: try Self.checkStore(bytes)
    case .story: try Self.checkStory(bytes)
    case .world: try Self.checkWorld(bytes)
    }
  }
}
