// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Whose value of one field stays.
public enum FieldChoice: Sendable, Hashable {
  /// The server's.
  case remote
  /// The one from here.
  case local
}
