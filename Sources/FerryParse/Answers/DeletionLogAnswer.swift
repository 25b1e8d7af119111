// Ferry: offline-first sync for Parse Server. MIT licence.

/// An answer of the deletion log that Ferry's Cloud Code keeps of a class.
package struct DeletionLogAnswer: Equatable, Sendable {
  /// The records that the log names as deleted: hints, and no proof.
  package var objectIDs: [String]
  /// The place from which the next request reads on.
  package var until: String
  /// Whether the log has more behind that place at present.
  package var hasMore: Bool
  /// Whether the log has all deletions since the place of the request.
  package var isComplete: Bool

  private static let longestPlace = 300

  /// Reads the result of the module's function `ferryDeletions`; nil if it is something else.
  ///
  /// - Parameters:
  ///   - result: The result of the function.
  ///   - className: The class that the request named.
  ///   - place: The place from which the request reads on; nil for the first one.
  init?(_ result: JSONElement, of className: String, since place: String?) {
    guard result["protocol"]?.wholeNumber == ServerModule.knownProtocol,
      result["class"]?.string == className,
      let until = result["until"]?.string, (1...Self.longestPlace).contains(until.utf8.count),
      let hasMore = result["hasMore"]?.boolean, let isComplete = result["isComplete"]?.boolean,
      // A log without an end must not look like one with more and more pages.
      !hasMore || until != place,
      let objectIDs = result["ids"]?.texts, objectIDs.count <= ParseRequests.mostModuleIDs,
      objectIDs.allSatisfy({ (1...ParseRequests.longestModuleID).contains($0.utf8.count) })
    else { return nil }
    self.objectIDs = objectIDs
    self.until = until
    self.hasMore = hasMore
    self.isComplete = isComplete
  }
}
