// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Which value of one field stays.
public enum FieldChoice: Sendable, Hashable {
  /// The server's value.
  case remote
  /// The local value.
  case local
}
