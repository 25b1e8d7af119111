// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// One line of a command's JSON output.
///
/// Members are only ever added, so that a reader that ignores what it does not know stays right.
struct JSONMessage: Sendable {
  private var members: [(key: String, value: Value)]

  init(_ type: String, _ members: KeyValuePairs<String, Value>) {
    self.members = [("message_type", .string(type))]
    for (key, value) in members { self.members.append((key, value)) }
  }

  /// The same, with a member more where there is something to say.
  func with(_ key: String, _ value: Value?) -> JSONMessage {
    guard let value else { return self }
    var message = self
    message.members.append((key, value))
    return message
  }

  /// The message on one line, its members in their order.
  var line: String {
    let members = members.map { "\(Value.string($0.key).json):\($0.value.json)" }
    return "{\(members.joined(separator: ","))}"
  }
}

extension Value {
  /// A count, as JSON has it.
  static func count(_ number: Int) -> Value { .integer(Int64(number)) }

  static func texts(_ texts: some Sequence<String>) -> Value { .array(texts.map(Value.string)) }
}
