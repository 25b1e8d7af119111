// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel

/// A judgement about the head of an answer that should have the content of a file.
enum FileAnswer {
  /// The body is the whole file.
  case whole(total: Int?, tag: String?)
  /// The body goes on where the device asked it to.
  case rest(total: Int, tag: String?)
  /// The body does not go on with what is here: the file has changed, or the server does not understand the question.
  case restart
  /// The body is something else.
  case refused(FileError)

  /// Judges an answer with status 200 or 206.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - headers: The header fields.
  ///   - request: The question.
  init(status: Int, headers: HTTPHeaders, to request: FileQuestion) {
    let tag = headers["ETag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    let length = headers["Content-Length"].flatMap(Int.init)
    if let fault = Self.fault(in: headers, of: request, length: length) {
      self = .refused(fault)
    } else if status == 200 {
      self = .whole(total: length, tag: tag)
    } else if request.from == 0 {
      self = .refused(.notTheFile(request, "sent a part of it, which was not asked for"))
    } else if let total = Self.total(of: headers["Content-Range"] ?? "", from: request.from),
      request.total == nil || request.total == total,
      length == nil || length == total - request.from,
      request.tag == tag || headers["ETag"] == nil && request.file.hasUniqueName
    {
      self = .rest(total: total, tag: tag ?? request.tag)
    } else {
      self = .restart
    }
  }

  /// The size of the file of a range that begins at a byte and goes to the end; nil for any other range.
  ///
  /// Parse Server's adapter for MongoDB names the byte behind the last one as its end, where HTTP has the last one.
  private static func total(of header: String, from start: Int) -> Int? {
    let words = header.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/").map(String.init)
    let ends = parts.first?.split(separator: "-").compactMap { Int($0) } ?? []
    guard parts.count == 2, let total = Int(parts[1]), ends.count == 2, ends[0] == start,
      start <= total, ends[1] == total - 1 || ends[1] == total
    else { return nil }
    return total
  }

  /// Why the body cannot be the file, whatever its bytes are.
  private static func fault(
    in headers: HTTPHeaders, of request: FileQuestion, length: Int?
  ) -> FileError? {
    if let coding = headers["Content-Encoding"], coding.lowercased() != "identity" {
      return .notTheFile(request, "sent it compressed, which was not asked for")
    }
    let isChunked = headers["Transfer-Encoding"]?.lowercased().contains("chunked") ?? false
    // An encrypted connection shows its end. An open one does not, so a lost one would cut the file.
    guard length != nil || isChunked || request.isEncrypted else {
      return .notTheFile(request, "did not say how long it is")
    }
    let type = headers["Content-Type"]?.prefix { $0 != ";" }.lowercased() ?? ""
    guard let endings = typesOfErrors[type], !endings.contains(request.file.ending) else {
      return nil
    }
    return .notTheFile(request, "sent \(type) instead of it, as proxies and login pages do")
  }

  /// The types of pages about errors, and the endings of files that have them.
  ///
  /// Parse Server gives a file the type of its ending.
  private static let typesOfErrors: [String: Set<String>] = [
    "text/html": ["html", "htm", "shtml"], "application/xhtml+xml": ["xhtml", "xht"],
    "application/json": ["json", "map"],
  ]
}

extension File {
  /// The ending of the name, without its dot.
  fileprivate var ending: String {
    name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
  }

  /// Whether the server has made the name unique, so that it never means another content.
  var hasUniqueName: Bool {
    let last = name.split(separator: "/").last ?? ""
    let digits = last.prefix { $0 != "_" }
    return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) && digits.count < last.count
  }
}

extension FileError {
  static func notTheFile(_ request: FileQuestion, _ happening: String) -> FileError {
    FileError(
      .notTheFile,
      "\(request.server) \(happening): the file \(request.file.shownName). Nothing of the answer was kept. "
        + "Ask again later; if it stays, look at what is between this device and the server.")
  }
}
