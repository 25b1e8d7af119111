// Ferry: offline-first sync for Parse Server. MIT licence.

/// The fate of a file on the server when the app replaces or clears the field, or deletes the row.
///
/// ```swift
/// let schema = Schema {
///   Entity("Photo") {
///     Field("image", .file, replacedFiles: .delete)
///   }
/// }
/// ```
///
/// It concerns files that this store has sent. It changes nothing in the table, and may be declared or left out at any time.
public enum ReplacedFiles: String, Sendable, Hashable, CaseIterable {
  /// It stays on the server, because other records may name it.
  case keep
  /// It leaves the server with a sync, a week after the server has the edit, so that an undo still finds it.
  ///
  /// A Parse Server removes files for the master key alone. In a sync without it, the file stays, and
  /// `StoreInspection.lostUploads()` says its name. The file stays as long as any file field of any record on the server, a row,
  /// an unsent change or a conflict record names it. Ferry does not look into arrays and objects.
  case delete
}
