// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Which changes of history a reader wants.
///
/// ```swift
/// var filter = HistoryFilter(authors: [.sync], classNames: ["Game"])
/// ```
///
/// A change passes if it passes each part that is not nil.
public struct HistoryFilter: Sendable, Equatable {
  /// Who made the change; nil for everybody.
  public var authors: Set<Author>?
  /// The classes; nil for all.
  public var classNames: Set<String>?
  /// The rows, by class and local id; nil for all.
  ///
  /// No row of a class without an entry passes.
  public var localIDs: [String: Set<LocalID>]?

  /// Makes a filter; without arguments, every change passes.
  public init(
    authors: Set<Author>? = nil, classNames: Set<String>? = nil,
    localIDs: [String: Set<LocalID>]? = nil
  ) {
    self.authors = authors
    self.classNames = classNames
    self.localIDs = localIDs
  }

  /// A filter for the changes of one record.
  public static func record(_ record: RecordReference) -> HistoryFilter {
    HistoryFilter(localIDs: [record.className: [record.localID]])
  }

  /// Whether a change passes; one that names several rows passes if one of them does.
  public func accepts(_ change: Change) -> Bool {
    if let authors, !authors.contains(change.author) { return false }
    if let classNames, !classNames.contains(change.className) { return false }
    guard let localIDs else { return true }
    return localIDs[change.className]?.contains { change.localIDs.contains($0) } ?? false
  }
}
