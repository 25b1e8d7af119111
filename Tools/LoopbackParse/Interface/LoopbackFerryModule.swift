// Ferry: offline-first sync for Parse Server. MIT licence.

/// Ferry's Cloud Code (`Tools/CloudCode`) with its options, for a double that answers as if it were installed.
///
/// ```swift
/// var configuration = LoopbackConfiguration()
/// configuration.ferryModule = LoopbackFerryModule(classes: ["Game", "Team"], logged: ["Game"])
/// ```
///
/// The deletion log is in the classes `FerryDeletion` and `FerryLogStart`, as on a real server.
public struct LoopbackFerryModule: Sendable, Hashable {
  /// The classes that clients may ask about.
  public var classes: [String]
  /// The classes whose deletions are logged.
  public var logged: [String]
  /// How long an entry stays in the log, in days.
  public var days: Int

  /// Makes the options.
  ///
  /// - Parameters:
  ///   - classes: the classes that clients may ask about.
  ///   - logged: those of them whose deletions are logged; nil for all.
  ///   - days: how long an entry stays in the log.
  public init(classes: [String], logged: [String]? = nil, days: Int = 60) {
    self.classes = classes
    self.logged = logged ?? classes
    self.days = days
  }
}
