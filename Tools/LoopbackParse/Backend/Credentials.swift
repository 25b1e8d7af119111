// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The keys and the token of a request, from its headers or, as SDKs in browsers do it, its body.
struct Credentials {
  var sessionToken: String?
  var installationId: String?
  var isMaster = false
  var isMaintenance = false
  /// Whether the server takes the request for one of its own Cloud Code, which nobody logs in by.
  var isCloudCode = false

  /// The credentials of nobody.
  init() {}

  /// Takes the credentials, removing them from the body, and refuses a wrong application or client
  /// key.
  init(
    _ headers: LoopbackHeaders, _ body: inout LoopbackValue,
    _ configuration: LoopbackConfiguration
  ) throws(Refusal) {
    try Self.check(context: headers["X-Parse-Cloud-Context"])
    var applicationId = headers["X-Parse-Application-Id"]
    var masterKey = headers["X-Parse-Master-Key"]
    var javascriptKey = headers["X-Parse-Javascript-Key"]
    sessionToken = headers["X-Parse-Session-Token"]
    installationId = headers["X-Parse-Installation-Id"]
    if let basic = Self.basic(headers["Authorization"]), basic.user == configuration.applicationId {
      applicationId = basic.user
      if let key = basic.javascriptKey { javascriptKey = key } else { masterKey = basic.password }
    }
    if applicationId != configuration.applicationId, case .object(var members) = body {
      guard members["_ApplicationId"]?.string == configuration.applicationId else {
        throw .unauthorized
      }
      try takeFromBody(&members, &masterKey, &javascriptKey)
      body = .object(members)
      applicationId = configuration.applicationId
    }
    guard applicationId == configuration.applicationId else { throw .unauthorized }
    isMaster = masterKey == configuration.masterKey
    if let key = configuration.maintenanceKey {
      isMaintenance = headers["X-Parse-Maintenance-Key"] == key
    }
    let isMasterByHeader = headers["X-Parse-Master-Key"] == configuration.masterKey
    isCloudCode = (isMasterByHeader || isMaintenance) && headers["X-Parse-Installation-Id"] == nil
    try checkClientKeys(headers, javascriptKey, configuration)
  }

  private mutating func takeFromBody(
    _ members: inout [String: LoopbackValue], _ masterKey: inout String?,
    _ javascriptKey: inout String?
  ) throws(Refusal) {
    for name in ["_ApplicationId", "_ClientVersion", "_RevocableSession"] { members[name] = nil }
    javascriptKey = members.removeValue(forKey: "_JavaScriptKey")?.string
    let secrets = ["_InstallationId", "_SessionToken", "_MasterKey", "_ContentType"]
    var texts: [String: String] = [:]
    for name in secrets {
      guard let value = members.removeValue(forKey: name), value.isTruthy else { continue }
      guard let text = value.string else { throw .unauthorized }
      texts[name] = text
    }
    installationId = texts["_InstallationId"] ?? installationId
    sessionToken = texts["_SessionToken"] ?? sessionToken
    masterKey = texts["_MasterKey"] ?? masterKey
    if let context = members.removeValue(forKey: "_context"), context.object == nil {
      try Self.check(context: context.string ?? "")
    }
  }

  private func checkClientKeys(
    _ headers: LoopbackHeaders, _ javascriptKey: String?, _ configuration: LoopbackConfiguration
  ) throws(Refusal) {
    let asked = configuration.clientKeys
    guard !isMaster, !isMaintenance, !asked.isEmpty else { return }
    let fits = asked.contains { header, key in
      (header == "X-Parse-Javascript-Key" ? javascriptKey : headers[header]) == key
    }
    guard fits else { throw .unauthorized }
  }

  private static func check(context: String?) throws(Refusal) {
    guard let context else { return }
    guard (try? JSONReader.value(of: Array(context.utf8)))?.object != nil else {
      throw .parse(107, "Invalid object for context.")
    }
  }

  /// `Authorization: Basic`, with the application for a user and a key for a password.
  private static func basic(
    _ header: String?
  ) -> (user: String, password: String, javascriptKey: String?)? {
    guard let header, header.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: String(header.dropFirst(6)))
    else { return nil }
    let halves = String(decoding: data, as: UTF8.self).split(
      separator: ":", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let key = String(halves[1])
    let mark = "javascript-key="
    let javascriptKey = key.hasPrefix(mark) ? String(key.dropFirst(mark.count)) : nil
    return (String(halves[0]), key, javascriptKey)
  }
}
