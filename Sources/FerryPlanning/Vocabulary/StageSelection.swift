// Ferry: offline-first sync for Parse Server. MIT licence.

/// Which stages of a sync to run.
public enum StageSelection: Sendable, Hashable {
  /// All stages.
  case all
  /// One stage; it continues with what earlier runs left on disk.
  case only(StageName)
  /// All stages up to this one.
  case through(StageName)

  /// The selected stages, in order.
  public var stages: [StageName] {
    switch self {
    case .all: StageName.allCases
    case .only(let stage): [stage]
    case .through(let last): StageName.allCases.filter { $0 <= last }
    }
  }
}
