// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse

/// Sends a section to any server, to compare its answers or to record them.
struct ContractPlayer {
  /// The result of one exchange.
  typealias Outcome = Result<ContractAnswer, ContractPlayError>

  private let client: WireClient
  private var reduction: Reduction
  private var underWay: [String: (ContractExchange, Task<WireAnswer, any Error>)] = [:]

  /// A player for the server of that address, mount path included.
  init(_ address: URL) throws {
    guard let port = address.port.flatMap(UInt16.init(exactly:)) else {
      throw ContractPlayError("\(address) has no port.")
    }
    client = WireClient(port: port)
    reduction = Reduction(server: "http://127.0.0.1:\(port)")
  }

  /// Sends all exchanges in order; the result is nil for a request whose answer a later exchange
  /// takes.
  static func play(_ file: ContractFile, on address: URL) async throws -> [Outcome?] {
    var player = try ContractPlayer(address)
    var outcomes: [Outcome?] = []
    for exchange in file.exchanges {
      do {
        outcomes.append(try await player.play(exchange).map { .success($0) })
      } catch {
        outcomes.append(.failure(ContractPlayError(String(describing: error))))
      }
    }
    return outcomes
  }

  private mutating func play(_ exchange: ContractExchange) async throws -> ContractAnswer? {
    switch exchange.step {
    case .send: return take(try await send(exchange), exchange)
    case .begin(let name):
      let player = self
      underWay[name] = (exchange, Task { try await player.send(exchange) })
      return nil
    case .finish(let name):
      guard let (_, task) = underWay.removeValue(forKey: name) else {
        throw ContractPlayError("Nothing was begun as “\(name)”.")
      }
      return take(try await task.value, exchange)
    }
  }

  /// Keeps the values that the exchange names, and reduces the answer.
  private mutating func take(
    _ answer: WireAnswer, _ exchange: ContractExchange
  ) -> ContractAnswer {
    let json = try? LoopbackValue(json: answer.body)
    for (name, place) in exchange.keep {
      let value =
        place.hasPrefix("header ")
        ? answer.headers[place.dropFirst(7).lowercased()]
        : json.flatMap { Self.value(at: place, of: $0) }
      if let value { reduction.keep(value, as: name) }
    }
    return reduction.answer(answer, to: exchange)
  }

  /// The text at a position such as `0.success.objectId`.
  private static func value(at place: String, of json: LoopbackValue) -> String? {
    var value: LoopbackValue? = json
    for part in place.split(separator: ".") {
      if let elements = value?.array {
        value = Int(part).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      } else {
        value = value?[String(part)]
      }
    }
    return value?.string
  }

  private func send(_ exchange: ContractExchange) async throws -> WireAnswer {
    let parts = exchange.target.split(separator: " ", maxSplits: 1)
    var headers = try credentials(exchange.caller)
    let body: [UInt8]
    switch exchange.body {
    case .none: body = []
    case .json(let json):
      body = Array(try reduction.filled(json).text.utf8)
      headers["Content-Type"] = "application/json"
    case .text(let text): body = Array(try reduction.filled(text).utf8)
    case .base64(let text): body = Array(Data(base64Encoded: text) ?? Data())
    }
    for (name, value) in exchange.headers { headers[name] = try reduction.filled(value) }
    return try await client.send(
      String(parts[0]), try reduction.filled(String(parts[1])), headers, body)
  }

  private func credentials(_ caller: String) throws -> [String: String] {
    var headers = ["X-Parse-Application-Id": "app1"]
    switch caller {
    case "none": headers = [:]
    case "client": break
    case "rest": headers["X-Parse-REST-API-Key"] = "rest-key"
    case "master": headers["X-Parse-Master-Key"] = "mk"
    case "maintenance": headers["X-Parse-Maintenance-Key"] = "maintenance"
    default: headers["X-Parse-Session-Token"] = try reduction.filled("{{\(caller)}}")
    }
    return headers
  }
}
