// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Randomness

/// `/files`: the only routes whose bodies are not JSON, and the only ones that need no key to read.
extension LoopbackBackend {
  mutating func answerFile(_ path: String, _ request: LoopbackRequest) throws(Refusal) -> Answer {
    let parts = path.split(separator: "/").dropFirst().map {
      $0.removingPercentEncoding ?? String($0)
    }
    switch (request.method == "HEAD" ? "GET" : request.method, parts.count) {
    case ("GET", 2) where parts[0] == configuration.applicationId:
      return try download(parts[1], request)
    case ("GET", 2): return Answer(status: 403, json: ["error": "Permission denied"])
    case ("GET", 3) where parts[1] == "metadata": return Answer(json: [:])
    case ("POST", 0): throw .parse(122, "Filename not provided.")
    case ("POST", 1): return try upload(parts[0], request)
    case ("DELETE", 1): return try deleteFile(parts[0], request)
    default: throw .noRoute(method: request.method, path: request.path)
    }
  }

  private mutating func upload(
    _ name: String, _ request: LoopbackRequest
  ) throws(Refusal) -> Answer {
    guard request.body.count <= configuration.maxUploadSize else {
      throw .http(413, "request entity too large")
    }
    var type = request.headers["Content-Type"]
    var bytes = request.body
    let caller: Caller
    if request.headers["X-Parse-Application-Id"] != configuration.applicationId {
      guard var form = try? JSONReader.value(of: bytes) else { throw .unauthorized }
      type = form["_ContentType"]?.string ?? type
      let encoded = form["base64"]?.string
      let credentials = try Credentials(request.headers, &form, configuration)
      caller = try self.caller(of: credentials, reading: "", at: now)
      bytes = Array(Data(base64Encoded: encoded ?? "") ?? Data())
    } else {
      var empty: LoopbackValue = [:]
      let credentials = try Credentials(request.headers, &empty, configuration)
      caller = try self.caller(of: credentials, reading: "", at: now)
    }
    if !caller.isMaster { try checkUploader(caller) }
    guard !bytes.isEmpty else { throw .parse(130, "Invalid file upload.") }
    try Self.checkFileName(name)
    let whole = name + Self.missingEnding(of: name, type)
    if !caller.isMaster, let ending = whole.split(separator: ".").dropFirst().last,
      !mayUpload(ending: ending.lowercased())
    {
      throw .parse(130, "File upload of extension \(ending) is disabled.")
    }
    let stored = "\(generator.hexadecimal())_\(whole)"
    files[stored] = StoredFile(bytes: bytes)
    let url = fileAddress + stored.asURIComponent
    var answer = Answer(status: 201, json: ["url": .string(url), "name": .string(stored)])
    answer.headers["Location"] = url
    return answer
  }

  /// Refuses a caller who may not send files.
  private func checkUploader(_ caller: Caller) throws(Refusal) {
    let (kind, words): (LoopbackUploader, String)
    if let userId = caller.userId {
      let accounts = tables["_User"]?.rows[userId]?.fields["authData"]?.object ?? [:]
      let isAnonymous = accounts["anonymous"]?.object != nil
      (kind, words) =
        isAnonymous ? (.anonymousUsers, "anonymous user") : (.users, "authenticated user")
    } else {
      (kind, words) = (.anyone, "public")
    }
    guard configuration.uploaders.contains(kind) else {
      throw .parse(130, "File upload by \(words) is disabled.")
    }
  }

  private func mayUpload(ending: String) -> Bool {
    if let allowed = configuration.uploadEndings { return allowed.contains(ending) }
    return !["html", "htm", "xhtml", "svg", "xml"].contains(ending)
  }

  private mutating func deleteFile(
    _ name: String, _ request: LoopbackRequest
  ) throws(Refusal) -> Answer {
    var empty: LoopbackValue = [:]
    guard try Credentials(request.headers, &empty, configuration).isMaster else {
      return .bytes(
        JSONWriter.bytes(of: ["error": "Permission denied"]), status: 403, contentType: nil)
    }
    guard files.removeValue(forKey: name) != nil else {
      throw .parse(153, "Could not delete file.")
    }
    return .bytes([], contentType: nil)
  }

  /// A name without an ending gets that of its content type.
  private static func missingEnding(of name: String, _ type: String?) -> String {
    guard !name.contains(".") else { return "" }
    return switch type?.prefix(while: { $0 != ";" }) {
    case "text/html": ".html"
    case "image/png": ".png"
    case "image/jpeg": ".jpeg"
    case "text/plain", nil: ".txt"
    case "application/json": ".json"
    case "application/pdf": ".pdf"
    default: ""
    }
  }

  /// Letters, digits and `_@. ~-`, not beginning with a sign other than the underscore.
  private static func checkFileName(_ name: String) throws(Refusal) {
    guard name.utf8.count <= 128 else { throw .parse(122, "Filename too long.") }
    func isPlain(_ byte: UInt8) -> Bool {
      (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A)
        || (byte >= 0x61 && byte <= 0x7A) || byte == UInt8(ascii: "_")
    }
    guard let first = name.utf8.first, isPlain(first),
      name.utf8.allSatisfy({ isPlain($0) || "@. ~-".utf8.contains($0) })
    else { throw .parse(122, "Filename contains invalid characters.") }
  }
}
