// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse

/// Asks the server's function which records are gone, among those of which the store has something.
///
/// Ferry's Cloud Code has it (`Tools/CloudCode`). It answers with the rights of the caller, as a query by id does. Each
/// record that it names is a candidate for removal, with the same proof as any other, so that a function that errs costs
/// requests and no row.
struct RemovedReading {
  let context: ClassContext

  private var entity: Entity { context.entity }
  private var function: ModuleFunction { ModuleFunction(.removed, in: context) }

  /// Whether the class is declared with the function, and the function was of use lately.
  func isUsed() throws(ClassError) -> Bool {
    guard entity.deletionStrategy == .cloudFunction else { return false }
    return try !function.isLeftAlone()
  }

  /// Those of some records that no query of the user finds; nil if the function is of no use at present.
  func gone(among objectIDs: [String]) throws(ClassError) -> Set<String>? {
    let pages = objectIDs.filter { $0.utf8.count <= ParseRequests.longestModuleID }
      .chunks(of: ParseRequests.mostModuleIDs)
    return try function.result { () throws(ModuleFunction.Failure) in
      // A server without the function gets one request, and not all of them at once.
      try ask(about: pages.prefix(1)).union(try ask(about: pages.dropFirst()))
    }
  }

  /// Does without the function for a day.
  func leaveAlone(because reason: String) throws(ClassError) {
    try function.leaveAlone(because: reason)
  }

  private func ask(about pages: ArraySlice<[String]>) throws(ModuleFunction.Failure) -> Set<String>
  {
    let pages = Array(pages)
    let requests = pages.map { context.requests.removed(of: entity.name, among: $0) }
    let answers = try function.answers(to: requests) { response, place throws(ParseError) in
      try ParseResponses().removed(response, of: entity.name, among: pages[place])
    }
    return answers.reduce(into: []) { $0.formUnion($1) }
  }
}
