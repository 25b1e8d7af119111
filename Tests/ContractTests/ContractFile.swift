// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// One section of the contract: a server's setup, and a conversation with it.
struct ContractFile: Sendable {
  /// The file's name without folder and ending.
  let name: String
  let section: String
  let server: ContractServer
  /// The server that gave the answers; nil before the first recording.
  var recorded: String?
  var exchanges: [ContractExchange]
}

/// The setup of a server for a section.
struct ContractServer: Hashable, Sendable {
  /// Parse Server's own options.
  var options: [String: LoopbackValue] = [:]
  /// The name of the Cloud Code: a file of JavaScript beside the sections, and its twin in Swift.
  var cloudCode: String?
  /// The options of Ferry's Cloud Code; nil for a server without it.
  var module: LoopbackValue?
  /// The locale by which the database sorts text; nil for the order of code points.
  var collation: String?
  /// The number of processes behind the port.
  var processes = 1
  /// Whether files come in parts where a range is asked for, as from MongoDB.
  var streamsFiles = false
}

/// A request and a real server's answer, without what varies from run to run.
struct ContractExchange: Sendable {
  enum Body: Sendable {
    case none
    case json(LoopbackValue)
    case text(String)
    case base64(String)
  }

  /// A step of the conversation.
  enum Step: Sendable, Equatable {
    case send
    /// Sends the request without waiting for the answer, and names the answer.
    case begin(String)
    /// Waits for the named answer.
    case finish(String)
  }

  let name: String
  var step = Step.send
  /// Method and path, such as `POST /parse/classes/Game`.
  var target = ""
  /// The credentials: `client`, `master`, `maintenance`, `none`, or a token's name.
  var caller = "client"
  var headers: [String: String] = [:]
  var body = Body.none
  /// Names for values of the answer, by their positions in its body.
  var keep: [String: String] = [:]
  /// Headers of the answer that belong to the contract, besides type and location.
  var show: [String] = []
  /// Members of the answer whose text may differ.
  var loose: Set<String> = []
  /// Arrays of the answer whose order does not matter.
  var unordered: Set<String> = []
  /// Whether the answer's dates may have any order, as after a batch.
  var anyDates = false
  /// Why the double's answer differs; nil if it must not differ.
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
