// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Testing

/// A misbehaviour of a server: its name, where it is played, and what the server does.
///
/// The lists in the extensions of this type are the table of all of them. A new one is a new line.
package struct EvilBehaviour: Sendable, CustomTestStringConvertible {
  /// The server's doing, in plain words.
  package var name: String
  /// The exchanges at which it does so.
  package var exchanges: [EvilExchange]
  /// The steps after a request was read and carried out.
  package var steps: @Sendable (TrueAnswer) -> [EvilStep]
  /// Whether the server carries the request out before it misbehaves.
  package var carriesOut: Bool

  package var testDescription: String { name }

  /// All behaviours.
  package static let all =
    connections + lengths + headers + encodings + statuses + texts + rows
    + counts + batches

  /// Carries writes out and answers none of them.
  package static let lostAnswers = EvilBehaviour(
    "loses the answers to writes", at: [.write, .batchOfWrites]
  ) { _ in [.close] }

  init(
    _ name: String, at exchanges: [EvilExchange] = EvilExchange.allCases, carriesOut: Bool = true,
    _ steps: @escaping @Sendable (TrueAnswer) -> [EvilStep]
  ) {
    (self.name, self.exchanges, self.steps) = (name, exchanges, steps)
    self.carriesOut = carriesOut
  }

  /// Sends a text, and closes the connection.
  static func sends(
    _ name: String, _ text: String, at exchanges: [EvilExchange] = EvilExchange.allCases
  ) -> EvilBehaviour {
    EvilBehaviour(name, at: exchanges) { _ in [.text(text), .close] }
  }

  /// Answers with a status and a body.
  static func answers(
    _ name: String, _ status: Int, _ body: String = "", adding lines: String = "",
    at exchanges: [EvilExchange] = EvilExchange.allCases
  ) -> EvilBehaviour {
    EvilBehaviour(name, at: exchanges) { answer in
      [.send(answer.bytes(status: status, adding: lines, body: Array(body.utf8)))]
    }
  }

  /// Answers correctly, with further header lines.
  static func adds(_ name: String, _ lines: String) -> EvilBehaviour {
    EvilBehaviour(name) { [.send($0.bytes(adding: lines))] }
  }

  /// Answers with another body.
  static func body(
    _ name: String, at exchanges: [EvilExchange] = EvilExchange.allCases,
    _ change: @escaping @Sendable (TrueAnswer) -> [UInt8]
  ) -> EvilBehaviour {
    EvilBehaviour(name, at: exchanges) { [.send($0.bytes(body: change($0)))] }
  }

  /// Answers with another text as the body.
  static func text(
    _ name: String, at exchanges: [EvilExchange] = EvilExchange.allCases,
    _ change: @escaping @Sendable (String) -> String
  ) -> EvilBehaviour {
    body(name, at: exchanges) { Array(change($0.text).utf8) }
  }

  /// Answers with other values.
  static func json(
    _ name: String, at exchanges: [EvilExchange],
    _ change: @escaping @Sendable (LoopbackValue) -> LoopbackValue
  ) -> EvilBehaviour {
    body(name, at: exchanges) { Array(change($0.json).text.utf8) }
  }
}
