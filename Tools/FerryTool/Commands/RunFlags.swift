// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The choices for one run that the flags of `plan` and `sync` make.
struct RunFlags {
  let selection: StageSelection
  let comparison: SyncComparison
  let adopting: Set<StoreAdoption>
  let confirming: Set<String>

  init(_ flags: ParsedCommand) throws(UsageError) {
    selection = try StageSelection(flags: flags)
    comparison = try SyncComparison(flags: flags)
    adopting = try Set(adoptedBy: flags)
    confirming = Set(flags.values(.confirm))
  }
}
