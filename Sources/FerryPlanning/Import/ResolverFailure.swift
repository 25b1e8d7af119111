// Ferry: offline-first sync for Parse Server. MIT licence.

/// A record for which the app's resolver failed.
package struct ResolverFailure: Equatable {
  package var objectID: String
  /// The resolver's mistake, as a sentence.
  package var sentence: String
}
