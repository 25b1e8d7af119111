// Ferry: offline-first sync for Parse Server. MIT licence.

/// The clients of the live queries, as a value: texts and changes go in, texts come out.
///
/// It answers as Parse Server 9.10: an unknown session connects and sees what everybody may see.
struct LiveClients: Sendable {
  /// A text for the client of a number.
  typealias Message = (client: Int, text: String)

  private struct Client {
    var id: String
    var sessionToken: String?
    var isMaster: Bool
    var subscriptions: [Int: LiveSubscription] = [:]
  }

  private var clients: [Int: Client] = [:]
  private var lastID = 0

  mutating func remove(_ number: Int) { clients[number] = nil }

  /// The answers to a text of a client; one that is no JSON has none.
  mutating func answer(
    _ text: [UInt8], of number: Int, in backend: LoopbackBackend
  ) -> [String] {
    guard let message = try? LoopbackValue(json: text) else { return [] }
    switch message["op"]?.string {
    case "connect": return [connect(message, number, backend)]
    case "subscribe": return [subscribe(message, number, backend)]
    case "unsubscribe": return [unsubscribe(message, number)]
    default:
      return [Self.error(1, "No enum match for: \(message["op"]?.text ?? "undefined")")]
    }
  }

  private mutating func connect(
    _ message: LoopbackValue, _ number: Int, _ backend: LoopbackBackend
  ) -> String {
    lastID += 1
    let id = "client-\(lastID)"
    clients[number] = Client(
      id: id, sessionToken: message["sessionToken"]?.string,
      isMaster: message["masterKey"]?.string == backend.configuration.masterKey)
    return LoopbackValue.object(["op": "connected", "clientId": .string(id)]).text
  }

  private mutating func subscribe(
    _ message: LoopbackValue, _ number: Int, _ backend: LoopbackBackend
  ) -> String {
    guard let client = clients[number] else {
      return Self.error(
        2, "Can not find this client, make sure you connect to server before subscribing")
    }
    guard let request = message["requestId"]?.number.map({ Int($0) }),
      let className = message["query"]?["className"]?.string,
      let condition = message["query"]?["where"]?.object
    else { return Self.error(1, "Missing required property: where") }
    let caller = Self.caller(client, message["sessionToken"]?.string, backend)
    if let refusal = Self.refusal(of: className, to: caller, backend) {
      return Self.error(refusal, "Permission denied", request: request, reconnect: false)
    }
    let keys = message["query"]?["keys"]?.array?.compactMap(\.string)
    clients[number]?.subscriptions[request] = LiveSubscription(
      className: className, condition: condition, keys: keys.map(Set.init), caller: caller)
    return LoopbackValue.object([
      "op": "subscribed", "clientId": .string(client.id), "requestId": .number(Double(request)),
    ]).text
  }

  private mutating func unsubscribe(_ message: LoopbackValue, _ number: Int) -> String {
    guard let request = message["requestId"]?.number.map({ Int($0) }),
      clients[number]?.subscriptions.removeValue(forKey: request) != nil
    else { return Self.error(2, "Cannot find subscription") }
    return LoopbackValue.object([
      "op": "unsubscribed", "clientId": .string(clients[number]?.id ?? ""),
      "requestId": .number(Double(request)),
    ]).text
  }

  /// The events of changes.
  func events(_ changes: [LiveChange], in backend: LoopbackBackend) -> [Message] {
    changes.flatMap { change in
      clients.sorted { $0.key < $1.key }.flatMap { number, client in
        client.subscriptions.sorted { $0.key < $1.key }.compactMap { request, subscription in
          subscription.event(change, in: backend).map { op in
            (number, Self.event(op, change, request, client.id, subscription, backend))
          }
        }
      }
    }
  }

  private static func event(
    _ op: String, _ change: LiveChange, _ request: Int, _ client: String,
    _ subscription: LiveSubscription, _ backend: LoopbackBackend
  ) -> String {
    var members: [String: LoopbackValue] = [
      "op": .string(op), "clientId": .string(client), "requestId": .number(Double(request)),
    ]
    members["object"] = (change.after ?? change.before).map { subscription.shown($0, in: backend) }
    if ["update", "enter", "leave"].contains(op) {
      members["original"] = change.before.map { subscription.shown($0, in: backend) }
    }
    return LoopbackValue.object(members).text
  }

  /// Who a client is, by the token of a query, or by that of the connection.
  ///
  /// A token that is not valid is nobody's.
  private static func caller(
    _ client: Client, _ token: String?, _ backend: LoopbackBackend
  ) -> Caller {
    guard !client.isMaster else { return .master }
    var credentials = Credentials()
    credentials.sessionToken = token ?? client.sessionToken
    let stamp = Instant(backend.configuration.now())
    return (try? backend.caller(of: credentials, reading: "", at: stamp)) ?? Caller()
  }

  /// The code with which the server refuses a class whose permissions do not let a caller find its rows.
  private static func refusal(
    of className: String, to caller: Caller, _ backend: LoopbackBackend
  ) -> Int? {
    do throws(Refusal) {
      try backend.tables[className]?.schema.permissions.check(.find, for: caller)
      return nil
    } catch {
      if case .parse(let code, _) = error { return code }
      return 1
    }
  }

  private static func error(
    _ code: Int, _ text: String, request: Int? = nil, reconnect: Bool = true
  ) -> String {
    LoopbackValue.object([
      "op": "error", "error": .string(text), "code": .number(Double(code)),
      "reconnect": .bool(reconnect), "requestId": request.map { .number(Double($0)) } ?? .null,
    ]).text
  }
}
