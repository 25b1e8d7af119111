// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Synchronization

extension ContractServer {
  /// Starts the double with the section's setup.
  func startDouble(for file: String) throws -> LoopbackServer {
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = true
    configuration.streamsFiles = streamsFiles
    configuration.collation = collation == nil ? .codePoint : .english
    configuration.ferryModule = try module.map { try LoopbackFerryModule($0, of: file) }
    let clock = SteppingClock()
    configuration.now = { clock.next() }
    for (name, value) in options {
      guard let set = Self.settings[name], set(&configuration, value) else {
        throw ContractFileError(
          file: file, place: "server, options",
          expected: "options that the double has, and values it takes, not \(name): \(value.text)")
      }
    }
    guard let cloudCode else { return try LoopbackServer(configuration) }
    guard cloudCode == "cloud" else {
      throw ContractFileError(
        file: file, place: "server, cloudCode", expected: "“cloud”, the one there is a twin of")
    }
    let code = ContractCloudCode()
    code.install(in: &configuration)
    let server = try LoopbackServer(configuration)
    server.setFault(code.fault)
    return server
  }

  private typealias Setting = @Sendable (inout LoopbackConfiguration, LoopbackValue) -> Bool

  /// The double's setting for each option of Parse Server; false for an unsupported value.
  private static let settings: [String: Setting] = [
    "maintenanceKey": {
      $0.maintenanceKey = $1.string; return true
    },
    "restAPIKey": {
      $0.restAPIKey = $1.string; return true
    },
    "javascriptKey": {
      $0.javascriptKey = $1.string; return true
    },
    "allowCustomObjectId": {
      $0.allowCustomObjectId = $1 == true; return true
    },
    "allowClientClassCreation": {
      $0.allowClientClassCreation = $1 == true; return true
    },
    "defaultLimit": { configuration, value in
      guard let number = value.number else { return false }
      configuration.defaultLimit = Int(number)
      return true
    },
    "maxLimit": { configuration, value in
      configuration.maxLimit = value.number.map { Int($0) }
      return true
    },
    "maxUploadSize": { configuration, value in
      guard let text = value.string, text.hasSuffix("kb"), let size = Int(text.dropLast(2)) else {
        return false
      }
      configuration.maxUploadSize = size * 1024
      return true
    },
    "requestComplexity": { configuration, value in
      guard let limit = value["batchRequestLimit"]?.number else { return false }
      configuration.batchRequestLimit = Int(limit)
      return true
    },
    "fileUpload": { configuration, value in
      guard case .bool(let isForAnyone)? = value["enableForPublic"],
        case .bool(let isForAnonymous)? = value["enableForAnonymousUser"]
      else { return false }
      configuration.uploaders = []
      if isForAnyone { configuration.uploaders.insert(.anyone) }
      if isForAnonymous { configuration.uploaders.insert(.anonymousUsers) }
      if value["enableForAuthenticatedUser"] != false { configuration.uploaders.insert(.users) }
      configuration.uploadEndings = value["fileExtensions"]?.array.map {
        Set($0.compactMap(\.string))
      }
      return true
    },
    "fileDownload": { configuration, value in
      guard case .bool(let isAllowed)? = value["enableForPublic"] else { return false }
      configuration.allowsPublicDownloads = isAllowed
      return true
    },
    "idempotencyOptions": { configuration, value in
      configuration.idempotentPaths = value["paths"]?.array?.compactMap(\.string) ?? []
      return true
    },
    "rateLimit": { configuration, value in
      configuration.rateLimits = (value.array ?? []).compactMap(LoopbackRateLimit.init(option:))
      return configuration.rateLimits.count == value.array?.count
    },
  ]
}

extension LoopbackFerryModule {
  /// Reads the module's own options.
  fileprivate init(_ options: LoopbackValue, of file: String) throws(ContractFileError) {
    let known: Set = ["classes", "logged", "days"]
    guard let members = options.object, known.isSuperset(of: members.keys),
      let classes = members["classes"]?.array?.compactMap(\.string)
    else {
      throw ContractFileError(
        file: file, place: "server, module", expected: "the options classes, logged and days")
    }
    self.init(classes: classes, logged: members["logged"]?.array?.compactMap(\.string))
    if let number = members["days"]?.number { days = Int(number) }
  }
}

extension LoopbackRateLimit {
  /// Reads one of Parse Server's options.
  fileprivate init?(option: LoopbackValue) {
    guard let path = option["requestPath"]?.string, let count = option["requestCount"]?.number,
      let window = option["requestTimeWindow"]?.number
    else { return nil }
    self.init(path, count: Int(count), seconds: Int(window / 1000))
    if let methods = option["requestMethods"]?.array {
      self.methods = Set(methods.compactMap(\.string))
    }
    if let text = option["errorResponseMessage"]?.string { message = text }
  }
}

/// The present time, but never the same millisecond twice.
///
/// A real server's stamps also differ, because each of its answers takes more than a millisecond.
final class SteppingClock: Sendable {
  private let last = Mutex(Date.distantPast)

  func next() -> Date {
    last.withLock { last in
      last = max(Date(), last.addingTimeInterval(0.001))
      return last
    }
  }
}
