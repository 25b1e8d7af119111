// Ferry: offline-first sync for Parse Server. MIT licence.

extension SmallScope {
  /// Finds all courses, step by step.
  struct Search {
    /// The knowledge of a writer about a record; the server knows as much as the client.
    private enum Knowledge: Int, Comparable {
      case nothing, alive, deleted

      static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The world behind a course, as far as it decides which step makes sense.
    private struct Situation {
      /// By writer and record.
      var knowledge: [[Knowledge]]
      var hasUnsent = [false, false]
      /// The number of changes on the server, and how many of them each device has seen.
      var changes = 0
      var seen = [0, 0]

      init(_ isGiven: [Bool]) {
        knowledge = Array(repeating: isGiven.map { $0 ? .alive : .nothing }, count: 3)
      }

      func makesSense(_ step: Step) -> Bool {
        guard let record = step.record else {
          return hasUnsent[step.writer] || seen[step.writer] != changes
        }
        guard step.act == .insert else { return knowledge[step.writer][record] == .alive }
        return knowledge.allSatisfy { $0[record] == .nothing }
      }

      mutating func take(_ step: Step) {
        if let record = step.record {
          knowledge[step.writer][record] = step.act == .delete ? .deleted : .alive
          if step.writer == Step.client { changes += 1 } else { hasUnsent[step.writer] = true }
          return
        }
        let device = step.writer
        for record in 0...1 {
          let common = max(knowledge[device][record], knowledge[Step.client][record])
          knowledge[device][record] = common
          knowledge[Step.client][record] = common
        }
        if hasUnsent[device] { changes += 1 }
        hasUnsent[device] = false
        seen[device] = changes
      }
    }

    /// Those found, shorter ones first.
    private(set) var courses: [Course] = []
    private let longest: Int
    private let isIndependent: [[Bool]]
    /// For each choice of names, the steps by their new names.
    private let renamed: [(swapsRecords: Bool, steps: [UInt8])]

    init(longest: Int) {
      let all = Step.all
      self.longest = longest
      isIndependent = all.map { step in all.map { step.isIndependent(of: $0) } }
      renamed = Step.Names.others.map { names in
        (
          names.swapsRecords,
          all.map { step in UInt8(all.firstIndex(of: step.renamed(names)) ?? 0) }
        )
      }
      for isGiven in [[true, true], [true, false], [false, false]] {
        extend([], isGiven, Situation(isGiven))
      }
      courses = (1...longest).flatMap { length in courses.filter { $0.steps.count == length } }
    }

    private mutating func extend(_ steps: [UInt8], _ isGiven: [Bool], _ situation: Situation) {
      if !steps.isEmpty, isFirst(steps, isGiven) {
        courses.append(Course(isGiven: isGiven, steps: steps))
      }
      guard steps.count < longest else { return }
      for (place, step) in Step.all.enumerated()
      where situation.makesSense(step) && isInOrder(UInt8(place), after: steps) {
        var next = situation
        next.take(step)
        extend(steps + [UInt8(place)], isGiven, next)
      }
    }

    /// Whether no step before this one, which does not meet it, had to come later.
    private func isInOrder(_ step: UInt8, after steps: [UInt8]) -> Bool {
      for earlier in steps.reversed() {
        guard isIndependent[Int(step)][Int(earlier)] else { return true }
        if earlier > step { return false }
      }
      return true
    }

    /// Whether no other choice of names gives a course that comes before.
    private func isFirst(_ steps: [UInt8], _ isGiven: [Bool]) -> Bool {
      renamed.allSatisfy { names in
        // With one record given, the names of the records are no choice.
        if names.swapsRecords, isGiven[0] != isGiven[1] { return true }
        return !inOrder(steps.map { names.steps[Int($0)] }).lexicographicallyPrecedes(steps)
      }
    }

    /// The same course with its steps in order.
    private func inOrder(_ steps: [UInt8]) -> [UInt8] {
      var left = steps
      var ordered: [UInt8] = []
      while !left.isEmpty {
        var best = 0
        for place in left.indices where left[place] < left[best] {
          let isFree = left[..<place].allSatisfy {
            isIndependent[Int(left[place])][Int($0)]
          }
          if isFree { best = place }
        }
        ordered.append(left.remove(at: best))
      }
      return ordered
    }
  }
}
