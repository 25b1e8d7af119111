// Ferry: offline-first sync for Parse Server. MIT licence.

/// A frame of a websocket (RFC 6455, section 5.2).
struct WebSocketFrame: Equatable {
  enum Kind: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
  }

  var kind: Kind
  var isLast: Bool
  var content: [UInt8]

  init(kind: Kind, isLast: Bool = true, content: [UInt8]) {
    self.kind = kind
    self.isLast = isLast
    self.content = content
  }

  /// A whole message of text.
  init(_ text: String) { self.init(kind: .text, content: Array(text.utf8)) }

  /// The frame as a server sends it: without a mask.
  var bytes: [UInt8] { Self.head(kind, isLast, content.count) + content }

  /// The first bytes of a frame, which promise a number of bytes.
  static func head(_ kind: Kind, _ isLast: Bool, _ count: Int) -> [UInt8] {
    let first = kind.rawValue | (isLast ? 0x80 : 0)
    func digits(_ number: Int) -> [UInt8] {
      (0..<number).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
    if count < 126 { return [first, UInt8(count)] }
    return count < 1 << 16 ? [first, 126] + digits(2) : [first, 127] + digits(8)
  }

  /// Takes the first frame of a client from bytes that came; nil while it is not complete.
  ///
  /// - Throws: `Malformed` for bytes that are no frame of a client.
  static func take(from bytes: inout [UInt8], limit: Int) throws(Malformed) -> WebSocketFrame? {
    guard bytes.count >= 2 else { return nil }
    guard let kind = Kind(rawValue: bytes[0] & 0x0F), bytes[0] & 0x70 == 0, bytes[1] & 0x80 != 0
    else {
      throw Malformed()
    }
    let short = Int(bytes[1] & 0x7F)
    let digits = short == 126 ? 2 : short == 127 ? 8 : 0
    guard bytes.count >= 2 + digits + 4 else { return nil }
    let count = digits == 0 ? short : bytes[2..<(2 + digits)].reduce(0) { $0 << 8 | Int($1) }
    guard (0...limit).contains(count) else { throw Malformed() }
    let start = 2 + digits + 4
    guard bytes.count >= start + count else { return nil }
    let mask = Array(bytes[(start - 4)..<start])
    let content = (0..<count).map { bytes[start + $0] ^ mask[$0 % 4] }
    let isLast = bytes[0] & 0x80 != 0
    bytes.removeFirst(start + count)
    return WebSocketFrame(kind: kind, isLast: isLast, content: content)
  }

  /// Bytes that are no frame, or a longer one than is taken.
  struct Malformed: Error {}
}
