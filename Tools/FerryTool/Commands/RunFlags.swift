// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The choices for one run that the flags of `plan` and `sync` make.
struct RunFlags {
  let selection: StageSelection
  /// The classes to ask about; nil for all.
  let classes: Set<String>?
  let comparison: SyncComparison
  let adopting: Set<StoreAdoption>
  let confirming: Set<String>

  init(_ flags: ParsedCommand) throws(Failure) {
    selection = try StageSelection(flags: flags)
    classes = flags.classNames.isEmpty ? nil : Set(flags.classNames)
    comparison = try SyncComparison(flags: flags)
    adopting = try Set(adoptedBy: flags)
    confirming = Set(flags.values(.confirm))
  }

  /// Refuses a confirmation that cannot name a set of a class of `ferry.json`.
  ///
  /// The set itself may be known to a plan only, so the store need not know it.
  func checkConfirming(_ session: Session, _ configuration: SyncConfiguration) throws(Failure) {
    let names = configuration.schema.entities.map(\.name)
    let unknown = confirming.sorted().first { confirmation in
      GuardedRemoval.className(inConfirmation: confirmation).map(names.contains) != true
    }
    guard let unknown else { return }
    let held = try session.inspect(configuration) { store throws(StoreError) in
      try names.map { name throws(StoreError) in
        try store.heldRemovals(of: name).map(\.confirmation)
      }.flatMap(\.self)
    }
    let remedy =
      Suggestion.nearest(to: unknown, among: held ?? []).map { "Did you mean \($0)?" }
      ?? "\"ferry status\" prints the name of each set that is held back."
    throw Failure(usage: "--confirm does not know \(unknown.quoted). Nothing was done. \(remedy)")
  }
}
