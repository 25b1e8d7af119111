// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Which classes have a wire format.
///
/// By default every class has one: its own, given by `Entity.serialized(by:)`, or the one that
/// follows from its declared fields. A project that wants each class's format written down on purpose
/// says so with `explicit`, and a class that was forgotten is refused at the start, by name.
public enum RecordSerializers: Sendable {
  /// What follows from the declared fields serves classes without a format of their own.
  case schemaDriven
  /// Only these classes, and those with a serializer of their own, have a format.
  case explicit(Set<String>)

  func check(_ schema: Schema) throws(SyncError) {
    guard case .explicit(let names) = self else { return }
    let missing = schema.entities.filter { $0.serializer == nil && !names.contains($0.name) }
    guard !missing.isEmpty else { return }
    let list = missing.map(\.name).joined(separator: ", ")
    throw SyncError(
      .configuration,
      "No serializer is registered for \(list). Nothing was sent and nothing was changed. Give the "
        + "class one with serialized(by:), or name it among those that use their declared fields.")
  }
}
