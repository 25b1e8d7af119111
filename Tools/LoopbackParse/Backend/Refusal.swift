// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a request is not done, in each of the envelopes a Parse Server has for it.
enum Refusal: Error {
  /// An error of Parse itself: code and text.
  case parse(Int, String)
  /// An error of the HTTP layer: a status, and a text without a code.
  case http(Int, String)
  /// A wrong application or client key: the one answer that goes out without a content type.
  case unauthorized
  /// An exception below Parse. Alone it becomes a bare 500; in a batch its own code and text show.
  case thrown(driverCode: String?, text: String?)
  /// More requests than a limit allows; with status 429, or 400 where a batch holds them.
  case tooManyRequests(Int, String)
  /// No such route: Express's page.
  case noRoute(method: String, path: String)
}

extension Refusal {
  static let objectNotFound = Refusal.parse(101, "Object not found.")
  static let notPermitted = Refusal.parse(119, "Permission denied")
  static let invalidSession = Refusal.parse(209, "Invalid session token")
  static let masterOnly = Refusal.http(403, "Permission denied")
  static let duplicateValue = Refusal.parse(
    137, "A duplicate value for a field with unique values was provided")
  /// PostgreSQL could not run a query; Parse Server 9 hides the reason.
  static let queryFailed = Refusal.parse(1, "An internal server error occurred")
  /// An exception with neither code nor text of its own.
  static let bare = Refusal.thrown(driverCode: nil, text: nil)

  /// A write to a column that does not exist.
  static func unknownColumn(_ name: String, of className: String) -> Refusal {
    .thrown(
      driverCode: "42703",
      text: "column \"\(name)\" of relation \"\(className)\" does not exist")
  }

  var answer: Answer {
    switch self {
    case .parse(let code, let text):
      Answer(
        status: code == 101 ? 404 : code == 1 ? 500 : 400,
        json: ["code": .number(Double(code)), "error": .string(text)])
    case .unauthorized:
      Answer.bytes(
        JSONWriter.bytes(of: ["error": "unauthorized"]), status: 403, contentType: nil)
    case .http(let status, let text): Answer(status: status, json: ["error": .string(text)])
    case .tooManyRequests(let status, let text):
      Answer(status: status, json: ["code": 100, "error": .string(text)])
    case .thrown: Answer(status: 500, json: ["code": 1, "message": "Internal server error."])
    case .noRoute(let method, let path): .page(404, "Cannot \(method) \(path)")
    }
  }

  /// The error of one operation in a batch.
  var batchItem: LoopbackValue {
    switch self {
    case .parse(let code, let text): ["code": .number(Double(code)), "error": .string(text)]
    case .http(_, let text): ["error": .string(text)]
    case .tooManyRequests(_, let text): ["code": 100, "error": .string(text)]
    case .unauthorized: ["error": "unauthorized"]
    case .thrown(let driverCode, let text):
      .object(
        ["code": driverCode, "error": text].compactMapValues { $0.map(LoopbackValue.string) })
    case .noRoute(let method, let path): ["error": .string("cannot route \(method) \(path)")]
    }
  }

  /// The refusal as direct access throws it.
  var error: LoopbackError {
    switch self {
    case .parse(let code, let text): LoopbackError(code: code, message: text)
    case .http(_, let text): LoopbackError(code: 119, message: text)
    case .tooManyRequests(_, let text): LoopbackError(code: 100, message: text)
    case .unauthorized: LoopbackError(code: 119, message: "unauthorized")
    case .thrown(_, let text): LoopbackError(code: 1, message: text ?? "Internal server error.")
    case .noRoute(let method, let path):
      LoopbackError(code: 107, message: "cannot route \(method) \(path)")
    }
  }
}
