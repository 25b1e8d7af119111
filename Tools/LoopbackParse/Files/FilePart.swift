// Ferry: offline-first sync for Parse Server. MIT licence.

/// The part of a file that Parse Server's adapter for MongoDB gives where a range is asked for.
///
/// It names the byte behind the last one as the part's end, where HTTP has the last one. It never answers 416, and it does
/// not read `If-Range`.
struct FilePart {
  let bytes: Range<Int>
  let length: Int

  /// The part that a header asks for; nil if the server gives the whole file.
  init?(asked header: String, of length: Int) {
    let halves = header.split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count > 1, halves[1].isEmpty || Int(halves[1]) != nil else { return nil }
    let from = Int(halves[0].replacing("bytes=", with: "").prefix { $0.isNumber })
    let to = Int(halves[1]) ?? length
    var start = min(from ?? 0, to, length)
    var end = max(from ?? 0, to) + 1
    if from == nil { (start, end) = (length - end + 1, length) }
    start = max(start, 0)
    bytes = start..<max(start, min(end, length))
    self.length = length
  }

  var header: String { "bytes \(bytes.lowerBound)-\(bytes.upperBound)/\(length)" }
}
