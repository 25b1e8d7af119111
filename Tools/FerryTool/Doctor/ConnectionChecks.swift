// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The way to the server as its answers show it: address, encryption, keys, session, version, clock.
struct ConnectionChecks {
  var classNames: [String]
  var allowsCleartext: Bool
  var findings: ServerExamination

  private var server: ParseServer { findings.server }

  var checks: [Check] {
    [encryption, address, keys, masterKey, session, version, clock].compactMap(\.self)
  }

  private var encryption: Check? {
    let name = "encryption"
    if case .failed(let error) = findings.isReady {
      guard error.code == .cleartextRefused || error.code == .tls else { return nil }
      return Check(name, failing: Failure(error))
    }
    if server.url.scheme?.lowercased() == "https" {
      return Check(name, .ok, "TLS, with a verified certificate.")
    }
    guard allowsCleartext else {
      return Check(name, .ok, "None, and none needed within this machine.")
    }
    return Check(
      name, .notice,
      "None: the network can read keys and data.",
      advice: "Use https.")
  }

  private var address: Check? {
    let name = "address"
    switch findings.isReady {
    case .notAsked: return nil
    case .failed(let error):
      if [.cleartextRefused, .tls].contains(error.code) { return nil }
      return Check(name, failing: Failure(error))
    case .answer(let isReady):
      // Servers of other kinds have a /health, too.
      if !findings.isParseServer, let refusal { return stranger(refusal) }
      guard isReady else {
        return Check(
          name, .problem(.tryAgain), "The Parse Server is not ready yet.",
          advice: "Try again in a moment.")
      }
      return Check(name, .ok, "A Parse Server answers at \(server.url).")
    case .refused(let error):
      guard findings.isParseServer else { return stranger(refusal ?? error) }
      // A list of allowed routes may leave this one out.
      return Check(name, .ok, "A Parse Server answers at \(server.url); its /health does not.")
    }
  }

  /// The first refusal to show the rows of a class.
  private var refusal: ParseError? {
    classNames.lazy.compactMap { name in
      if case .refused(let error) = findings.rows(of: name) { error } else { nil }
    }.first
  }

  /// The problem of an address where nothing answered like a Parse Server.
  private func stranger(_ refusal: ParseError) -> Check {
    var refusal = refusal
    switch refusal.meaning {
    case .malformed, .refused: refusal.meaning = .notParse
    default: break
    }
    return Check("address", failing: Failure(refusal))
  }

  private var keys: Check? {
    guard findings.isParseServer else { return nil }
    let refusals = classNames.compactMap { name -> ParseError? in
      if case .refused(let error) = findings.rows(of: name), error.meaning == .unauthorized {
        return error
      }
      return nil
    }
    guard let refusal = refusals.first else {
      return Check("keys", .ok, "The server accepts the application id and the keys it asks for.")
    }
    return Check(
      "keys", .problem(.noPermission), refusal.description,
      advice:
        "The server does not say which one is wrong. It also refuses a master key from an address "
        + "that its masterKeyIps does not name.")
  }

  private var masterKey: Check? {
    switch findings.acceptsMasterKey {
    case .answer(true):
      return Check("master key", .ok, "Accepted: it passes every permission.")
    case .answer(false) where keys?.verdict == .ok:
      return Check(
        "master key", .problem(.noPermission),
        "Not accepted: a sync would stop before its first change.",
        advice: "Correct the file that \"masterKeyFile\" names, or leave it out.")
    default: return nil
    }
  }

  private var session: Check? {
    switch findings.user {
    case .answer(let user):
      return Check("session", .ok, "The session belongs to the user \(user).")
    case .refused(let error) where error.meaning != .unauthorized && findings.isParseServer:
      return Check(
        "session", .problem(.noPermission), error.description,
        advice:
          "Log in again with ferry login, or put a new token into the file that \"sessionTokenFile\" names."
      )
    default: return nil
    }
  }

  private var version: Check? {
    guard findings.isParseServer else { return nil }
    guard case .answer(let version) = findings.version else {
      return Check("version", .unknown, "Only the master key may ask for the version.")
    }
    if version.hasPrefix("9.") { return Check("version", .ok, "Parse Server \(version).") }
    return Check(
      "version", .notice, "Parse Server \(version); Ferry was tested with 9.10.0.",
      advice: "Try Ferry on a copy of the server first.")
  }

  private var clock: Check? {
    guard let here = findings.localTime else { return nil }
    if case .failed = findings.isReady { return nil }
    guard let there = findings.serverTime else {
      return Check("clock", .unknown, "The server's answers carry no time.")
    }
    // The server's time has no fraction, and was stamped before the answer travelled.
    let offset = there.timeIntervalSince(here)
    guard abs(offset) > 5 else {
      return Check("clock", .ok, "Both clocks agree within seconds.")
    }
    let words = "The server's clock is \(Self.duration(abs(offset))) "
    return Check(
      "clock", .notice, words + (offset > 0 ? "ahead of" : "behind") + " this machine's.",
      advice:
        "Ferry never compares the two clocks, so it syncs all the same. Sessions, certificates and dates "
        + "that an app writes suffer: correct the wrong clock.")
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return switch whole {
    case ..<120: whole.counted("second", "seconds")
    case ..<7_200: (whole / 60).counted("minute", "minutes")
    case ..<172_800: (whole / 3_600).counted("hour", "hours")
    default: (whole / 86_400).counted("day", "days")
    }
  }
}
