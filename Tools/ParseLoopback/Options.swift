// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// The options of the command line.
struct Options {
  var configuration = LoopbackConfiguration()
  var port: UInt16 = 0
  var seedData: String?
  var data: String?
  var wantsHelp = false

  static let help = """
    A Parse-compatible server for tests, on 127.0.0.1 only.

    usage: parse-loopback [--port N] [--application-id ID] [--master-key KEY]
                          [--allow-custom-object-id] [--max-limit N]
                          [--files-from-users] [--seed-data FILE] [--data FILE]

      --port N                   the port; 0, the default, takes a free one
      --application-id ID        the application id clients must name (default app1)
      --master-key KEY           the key that lifts all permissions (default mk)
      --allow-custom-object-id   clients may choose object ids
      --max-limit N              the most rows a query gives
      --files-from-users         only users who are logged in, with a name, may send files,
                                 as by the defaults of a Parse Server
      --seed-data FILE           JSON to start with: {"Game":[{"title":"Final"}, …], …};
                                 objectId, createdAt and updatedAt may be given
      --data FILE                state kept between runs: read at the start if it is there,
                                 written at the end (with all passwords and tokens, mode 0600)
      --help                     this text

    Prints one line, ready URL, when it accepts requests. Ctrl-C or SIGTERM ends it.
    """

  init(_ arguments: ArraySlice<String>) throws(ToolError) {
    configuration.applicationId = "app1"
    var rest = arguments
    while let flag = rest.popFirst() {
      switch flag {
      case "--help", "-h": wantsHelp = true
      case "--port": port = try Self.number(flag, &rest)
      case "--application-id": configuration.applicationId = try Self.value(flag, &rest)
      case "--master-key": configuration.masterKey = try Self.value(flag, &rest)
      case "--allow-custom-object-id": configuration.allowCustomObjectId = true
      case "--max-limit":
        let limit: Int = try Self.number(flag, &rest)
        guard limit > 0 else { throw .usage("--max-limit must be at least 1, not \(limit).") }
        configuration.maxLimit = limit
      case "--files-from-users": configuration.uploaders = [.users]
      case "--seed-data": seedData = try Self.value(flag, &rest)
      case "--data": data = try Self.value(flag, &rest)
      default: throw .usage("There is no option \(flag).")
      }
    }
  }

  private static func value(
    _ flag: String, _ rest: inout ArraySlice<String>
  ) throws(ToolError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw .usage("\(flag) needs a value.")
    }
    return value
  }

  private static func number<Number: FixedWidthInteger>(
    _ flag: String, _ rest: inout ArraySlice<String>
  ) throws(ToolError) -> Number {
    let text = try value(flag, &rest)
    guard let number = Number(text), number >= 0 else {
      throw .usage("\(flag) needs a number from 0 to \(Number.max), not \(text).")
    }
    return number
  }
}
