// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension SyncOptions {
  /// The options that the flags of `plan` and `sync` choose.
  init(flags: ParsedCommand) throws(Failure) {
    self.init()
    if let seconds = try flags.seconds(.timeout, suchAs: 20) { timeout = seconds }
    if let text = flags.value(.maxUncounted) {
      guard let count = Int(text), (1...1_000_000_000).contains(count) else {
        throw Failure(
          usage:
            "--max-uncounted takes a number of records from 1 to 1000000000, such as 5000000, not "
            + "\(text.quoted).")
      }
      uncountedLimit = count
    }
    if let text = flags.value(.maxUpload) {
      guard let bytes = FilesCommand.bytes(text) else {
        throw Failure(
          usage:
            "--max-upload takes a size in bytes, kB, MB or GB, such as 50MB, not \(text.quoted).")
      }
      largestUpload = bytes
    }
    if let text = flags.value(.maxDelete) { removalLimit = try RemovalLimit(flag: text) }
  }
}

extension RemovalLimit {
  /// A number of records, or a share of a class in percent; 100% lets a class be emptied too.
  init(flag text: String) throws(Failure) {
    if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
      self.init(share: percent / 100, count: 0, allowsEmptying: percent == 100)
    } else if let count = Int(text), count >= 0 {
      self.init(share: 0, count: count)
    } else {
      throw Failure(
        usage:
          "--max-delete takes a number of records such as 50, or a share such as 5%, not \(text.quoted)."
      )
    }
  }
}

extension StageSelection {
  /// The stages that `--only` or `--through` choose; all without them.
  init(flags: ParsedCommand) throws(Failure) {
    switch (flags.value(.only), flags.value(.through)) {
    case (nil, nil): self = .all
    case (let name?, nil): self = .only(try Self.stage(name))
    case (nil, let name?): self = .through(try Self.stage(name))
    case (.some, .some):
      throw Failure(usage: "--only and --through exclude each other. Give one of them.")
    }
  }

  private static func stage(_ name: String) throws(Failure) -> StageName {
    guard let stage = StageName(rawValue: name) else {
      throw Failure(
        usage: "stage", name, notAmong: StageName.allCases.map(\.rawValue), see: "ferry help sync")
    }
    return stage
  }
}

extension SyncComparison {
  /// What `--compare` asks for; a share a day without it.
  init(flags: ParsedCommand) throws(Failure) {
    guard let name = flags.value(.compare) else {
      self = .rolling
      return
    }
    guard let comparison = SyncComparison(rawValue: name) else {
      throw Failure(
        usage: "comparison", name, notAmong: Self.allCases.map(\.rawValue), see: "ferry help sync")
    }
    self = comparison
  }
}

extension Set<StoreAdoption> {
  /// What `--adopt` names; nothing without it.
  init(adoptedBy flags: ParsedCommand) throws(Failure) {
    self.init()
    for name in flags.values(.adopt) {
      guard let adoption = StoreAdoption(rawValue: name) else {
        throw Failure(
          usage: "adoption", name, notAmong: StoreAdoption.allCases.map(\.rawValue),
          see: "ferry help sync"
        )
      }
      insert(adoption)
    }
  }
}

extension ExitCode {
  /// How a sync ended that was not stopped by an error.
  init(_ report: SyncReport) {
    if !report.guarded.isEmpty {
      self = .deleteGuard
    } else {
      self = report.outcome == .partial ? .partial : .success
    }
  }

  /// How a plan ended: what is left over is no failure of the plan, a class that could not be asked is.
  ///
  /// Asked for by `--exit-code`, it reports pending work before work that no sync can do.
  init(_ plan: SyncPlan, tellsPending: Bool) {
    let isWhole = plan.report.notices.allSatisfy { !$0.code.leavesClassOut }
    if !isWhole {
      self = .partial
    } else {
      let left: Self = plan.report.outcome == .partial ? .partial : .success
      self = !tellsPending ? .success : plan.hasWork ? .changesPending : left
    }
  }
}

extension SyncPlan {
  /// Whether a sync would do more than leave changes and records as they are.
  fileprivate var hasWork: Bool {
    actions.contains { ![.park, .wait, .hold].contains($0.kind) }
  }
}
