// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  /// A file, or the part of it that is asked for.
  mutating func download(_ name: String, _ request: LoopbackRequest) throws(Refusal) -> Answer {
    try checkDownload(request)
    guard let file = files[name] else { return .text(404, "File not found.") }
    let type = Self.contentType(of: name)
    guard configuration.streamsFiles, let range = request.headers["Range"],
      let part = FilePart(asked: range, of: file.bytes.count)
    else {
      var answer = Answer.bytes(file.bytes, contentType: type)
      answer.headers["X-Content-Type-Options"] = "nosniff"
      return answer
    }
    var answer = Answer.bytes(Array(file.bytes[part.bytes]), status: 206, contentType: type)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Accept-Ranges"] = "bytes"
    answer.headers["Content-Range"] = part.header
    return answer
  }

  /// Refuses a caller who may not read files.
  ///
  /// A session counts, and must be one. No other key than the master key has an effect.
  private mutating func checkDownload(_ request: LoopbackRequest) throws(Refusal) {
    guard request.headers["X-Parse-Master-Key"] != configuration.masterKey else { return }
    var credentials = Credentials()
    credentials.sessionToken = request.headers["X-Parse-Session-Token"]
    let caller = try caller(of: credentials, reading: "", at: now)
    guard configuration.allowsPublicDownloads || caller.userId != nil else {
      throw .parse(119, "File download by public is disabled.")
    }
  }

  /// The type of a download, which comes from its name, whatever type came with the upload.
  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").dropFirst().last?.lowercased() {
    case "txt": "text/plain; charset=utf-8"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "json": "application/json; charset=utf-8"
    case "pdf": "application/pdf"
    case "bin": "application/octet-stream"
    default: "false"
    }
  }
}
