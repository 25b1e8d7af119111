// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import Foundation
package import LoopbackParse

/// The server of a story: the double, or a real server that a test brings.
package protocol StoryServer: Sendable {
  /// Where it answers, mount path included.
  var url: URL { get }
  /// The way to it, on which nothing is lost.
  var transport: any HTTPTransport { get }
  /// The rows of a class, as it shows them to one who may see all.
  func rows(of className: String) throws -> [LoopbackValue]
  /// The names of all its files.
  func fileNames() throws -> [String]
  /// Inserts new rows at once, with one stamp that is finer than milliseconds, like SQL.
  ///
  /// - Returns: Their ids: those they name, where the server takes such.
  func load(_ rows: [LoopbackValue], into className: String) throws -> [String]
  /// Replaces the row with the same id, stamps included.
  func replace(_ row: LoopbackValue, of className: String) throws
  /// Takes a request that it stamps with the time it was sent at, and carries out later.
  ///
  /// - Returns: A closure that carries it out.
  func holdBack(_ held: HeldRequest) throws -> @Sendable () throws -> Void
  /// Lets its triggers keep to these rules from now on.
  func apply(_ rules: ServerRules) throws
  /// Starts again with Ferry's Cloud Code, which logs deletions of these classes, or without it.
  func restart(logging classNames: [String]) throws
  /// Carries out the next request and closes its connection instead of answering.
  func cutNextAnswer()
  /// Closes it, and says what was left over.
  func close() -> [String]
}

/// A request whose device has given up, and that the server carries out later.
package struct HeldRequest: Sendable {
  package var request: HTTPRequest
  package var sentAt: Date
  /// The classes of the writes in it, one by one.
  package var writes: [String]
}

/// The settings of a story's server from the beginning.
package struct StoryServerSetup: Sendable {
  package var allowsCustomIDs: Bool
  package var collation: LoopbackCollation
  /// The most rows it gives at once; nil for any number.
  package var maxLimit: Int?
  package var brokenBatch: Bool
  /// Whether the server has Ferry's Cloud Code.
  package var hasModule: Bool

  init(_ options: StoryOptions, _ variant: ScenarioVariant) {
    allowsCustomIDs = variant.allowsCustomIDs
    collation = variant.collation
    maxLimit = options.maxLimit
    brokenBatch = options.brokenBatch
    hasModule = options.hasModule
  }
}
