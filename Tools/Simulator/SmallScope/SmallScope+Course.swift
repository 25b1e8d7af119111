// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning

extension SmallScope {
  /// The records that are there from the beginning, and the events.
  struct Course: Sendable {
    var isGiven: [Bool]
    /// Places in the list of all steps.
    var steps: [UInt8]

    /// The world of the course.
    func world(hasOptions: Bool) -> World {
      var settings = WorldSettings()
      settings.deviceCount = 2
      settings.sync.attemptLimit = 1_000
      settings.allowsCustomIDs = hasOptions
      settings.localWins = hasOptions
      settings.editWins = hasOptions
      return World(
        // An even seed whose half is odd: nobody goes on after the end.
        seed: 2, settings: settings, classes: [WorldClass(name: Self.className)],
        given: isGiven.indices.filter { isGiven[$0] }.map { insert($0, stamp: $0 + 1) },
        events: steps.enumerated().map { event(Step.all[Int($1)], stamp: 10 + $0) })
    }

    private static let className = "Game"

    private func name(_ record: Int) -> String { "r\(record + 1)" }

    private func insert(_ record: Int, stamp: Int) -> Edit {
      .insert(
        name(record), className: Self.className,
        [WorldClass.Name.title: .text(name(record)), WorldClass.Name.score: .number(stamp)])
    }

    private func event(_ step: Step, stamp: Int) -> Event {
      let writer: Writer = step.writer == Step.client ? .client : .app(step.writer)
      guard let record = step.record else { return .sync(step.writer, .all, .rolling, []) }
      switch step.act {
      case .sync: return .sync(step.writer, .all, .rolling, [])
      case .insert: return .edit(writer, insert(record, stamp: stamp))
      case .setScore:
        return .edit(writer, .set(name(record), [WorldClass.Name.score: .number(stamp)]))
      case .setNote:
        let prefix = writer == .client ? "c" : writer.text
        return .edit(
          writer, .set(name(record), [WorldClass.Name.note: .text("\(prefix)\(stamp)")]))
      case .delete: return .edit(writer, .delete(name(record)))
      }
    }
  }
}
