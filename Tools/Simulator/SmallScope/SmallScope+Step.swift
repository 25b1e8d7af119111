// Ferry: offline-first sync for Parse Server. MIT licence.

extension SmallScope {
  /// An event of a course.
  struct Step: Hashable {
    enum Act: Int, CaseIterable {
      case insert, setScore, setNote, delete, sync
    }

    /// The devices are 0 and 1, the other client is 2.
    var writer: Int
    /// The record, 0 or 1; none for a sync.
    var record: Int?
    var act: Act

    static let client = 2

    /// All of them, in the order that makes one of several equal courses the first.
    static let all: [Step] = {
      var steps: [Step] = []
      for writer in 0...client {
        for record in 0...1 {
          for act in Act.allCases where act != .sync {
            steps.append(Step(writer: writer, record: record, act: act))
          }
        }
      }
      return steps + (0..<client).map { Step(writer: $0, record: nil, act: .sync) }
    }()

    /// Whether the order of both decides nothing.
    func isIndependent(of other: Step) -> Bool {
      switch (act == .sync, other.act == .sync) {
      case (true, true): false
      case (true, false): other.writer != Self.client && other.writer != writer
      case (false, true): writer != Self.client && writer != other.writer
      case (false, false): writer != other.writer || record != other.record
      }
    }

    /// The same step with other names.
    func renamed(_ names: Names) -> Step {
      var step = self
      if names.swapsDevices, writer != Self.client { step.writer = 1 - writer }
      if names.swapsRecords { step.record = record.map { 1 - $0 } }
      if names.swapsFields {
        switch act {
        case .setScore: step.act = .setNote
        case .setNote: step.act = .setScore
        case .insert, .delete, .sync: break
        }
      }
      return step
    }

    /// A choice of names.
    struct Names {
      var swapsDevices: Bool
      var swapsRecords: Bool
      var swapsFields: Bool

      /// All choices but that of no other name.
      static let others: [Names] = (1..<8).map {
        Names(swapsDevices: $0 & 1 != 0, swapsRecords: $0 & 2 != 0, swapsFields: $0 & 4 != 0)
      }
    }
  }
}
