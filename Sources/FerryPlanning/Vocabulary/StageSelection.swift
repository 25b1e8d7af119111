// Ferry: offline-first sync for Parse Server. MIT licence.

/// Which stages of a sync to run.
public enum StageSelection: Sendable, Hashable {
  /// All of them.
  case all
  /// One alone; it goes on from what earlier runs left on disk.
  case only(StageName)
  /// From the first up to this one.
  case through(StageName)

  /// The stages selected, in order.
  public var stages: [StageName] {
    switch self {
    case .all: StageName.allCases
    case .only(let stage): [stage]
    case .through(let last): StageName.allCases.filter { $0 <= last }
    }
  }
}
