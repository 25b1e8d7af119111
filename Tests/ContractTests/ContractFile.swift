// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// One section of the contract: how a server is set up, and what is then said to it, in order.
struct ContractFile: Sendable {
  /// The file's name without folder and ending.
  let name: String
  let section: String
  let server: ContractServer
  /// Which server the answers were recorded from; nil before the first recording.
  var recorded: String?
  var exchanges: [ContractExchange]
}

/// How a server is set up for a section.
struct ContractServer: Hashable, Sendable {
  /// Parse Server's own options.
  var options: [String: LoopbackValue] = [:]
  /// The name of the Cloud Code: a file of JavaScript beside the sections, and its twin in Swift.
  var cloudCode: String?
  /// The locale by which the database sorts text; nil for the order of code points.
  var collation: String?
  /// How many processes answer on the one port.
  var processes = 1
}

/// A request, and the answer that a real server gave to it, reduced to what does not vary.
struct ContractExchange: Sendable {
  enum Body: Sendable {
    case none
    case json(LoopbackValue)
    case text(String)
    case base64(String)
  }

  /// What this step of the conversation does.
  enum Step: Sendable, Equatable {
    case send
    /// Sends the request and goes on without waiting for the answer, which gets a name.
    case begin(String)
    /// Waits for the answer of that name.
    case finish(String)
  }

  let name: String
  var step = Step.send
  /// Method and path, as `POST /parse/classes/Game`.
  var target = ""
  /// Whose credentials go along: `client`, `master`, `maintenance`, `none`, or a token's name.
  var caller = "client"
  var headers: [String: String] = [:]
  var body = Body.none
  /// Names for values of the answer, by the place of each in its body.
  var keep: [String: String] = [:]
  /// Headers of the answer that belong to the contract, besides type and location.
  var show: [String] = []
  /// Members of the answer whose text is the server's own affair.
  var loose: Set<String> = []
  /// Arrays of the answer whose order says nothing.
  var unordered: Set<String> = []
  /// Whether the dates of the answer may stand in any order, as after a batch.
  var anyDates = false
  /// Why the double answers otherwise; nil where it must not.
  var difference: String?
  var answer: ContractAnswer?

  /// Whether there is an answer to compare.
  var isAnswered: Bool { if case .begin = step { false } else { true } }
}

/// An answer, reduced.
struct ContractAnswer: Sendable, Equatable {
  var status: Int
  var headers: [String: String] = [:]
  /// Nil for an empty body.
  var body: LoopbackValue?

  /// By the bytes of its texts: one that is composed in another way is another text.
  static func == (first: Self, second: Self) -> Bool {
    first.value.text.utf8.elementsEqual(second.value.text.utf8)
  }

  var value: LoopbackValue {
    var members: [String: LoopbackValue] = ["status": .number(Double(status))]
    if !headers.isEmpty { members["headers"] = .object(headers.mapValues(LoopbackValue.string)) }
    members["body"] = body
    return .object(members)
  }
}
