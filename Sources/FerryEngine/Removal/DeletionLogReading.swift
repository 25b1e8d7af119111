// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Reads which records of a class the server's deletion log names, since the last sync.
///
/// Ferry's Cloud Code keeps the log (`Tools/CloudCode`). Each record that it names is a candidate for removal, with the
/// same proof as any other, so that a log that errs costs a request and no row. Without a log, the engine compares counts.
struct DeletionLogReading {
  let context: ClassContext

  /// The content of the log since a position.
  struct Finding {
    /// The records that the log names.
    var objectIDs: Set<String> = []
    /// The place from which the next sync reads on; nil if there is none.
    var next: LogPosition?
    /// Whether the log alone shows what is deleted, so that the class need not be compared.
    var isWhole = false
  }

  /// How many answers a sync reads of a class; the next sync goes on.
  private static let mostPages = 100

  private var entity: Entity { context.entity }
  private var function: ModuleFunction { ModuleFunction(.log, in: context) }

  /// Reads on from a position; without one, it only takes the place to begin with.
  func read(from position: LogPosition?) throws(ClassError) -> Finding {
    guard entity.deletionStrategy == .deletionLog else { return Finding() }
    let finding = try function.result { () throws(ModuleFunction.Failure) in
      guard let position else {
        return Finding(next: LogPosition(place: try ask(since: nil).until))
      }
      return try read(behind: position)
    }
    return finding ?? Finding()
  }

  private func read(behind position: LogPosition) throws(ModuleFunction.Failure) -> Finding {
    var finding = Finding(
      next: LogPosition(place: position.place, isConfirmed: true), isWhole: position.isConfirmed)
    var place = position.place
    for _ in 0..<Self.mostPages {
      let answer = try ask(since: place)
      place = answer.until
      guard answer.isComplete else {
        function.notice(
          "The server's log of deletions in \(entity.name) begins after the last sync, as it does when the server "
            + "starts again. So this sync and the next one compare counts. Nothing was lost by it.")
        finding.next = LogPosition(place: place)
        finding.isWhole = false
        return finding
      }
      finding.objectIDs.formUnion(answer.objectIDs)
      finding.next?.place = place
      guard answer.hasMore else { break }
    }
    return finding
  }

  private func ask(since place: String?) throws(ModuleFunction.Failure) -> DeletionLogAnswer {
    let request = context.requests.deletions(of: entity.name, since: place)
    return try function.answers(to: [request]) { response, _ throws(ParseError) in
      try ParseResponses().deletions(response, of: entity.name, since: place)
    }[0]
  }
}
