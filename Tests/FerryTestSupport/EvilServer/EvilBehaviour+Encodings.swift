// Ferry: offline-first sync for Parse Server. MIT licence.

extension EvilBehaviour {
  /// Packed bodies that unpack to too much, or to nothing.
  static let encodings: [EvilBehaviour] = [
    packed("packs zeros without end with gzip", "gzip", PackedZeros.gzip, PackedZeros.more),
    packed("packs zeros without end with deflate", "deflate", PackedZeros.zlib, PackedZeros.more),
    packed("packs a gigabyte with brotli", "br", PackedZeros.brotli),
    packed("packs a gigabyte with zstd", "zstd", PackedZeros.zstd),
    packed("packs a gigabyte three times", "gzip, gzip, gzip", PackedZeros.gzipThrice),
    packed("packs a gigabyte three times and says so twice", "gzip, gzip", PackedZeros.gzipThrice),
    packed("packs an error without end", "gzip", PackedZeros.gzip, PackedZeros.more, status: 500),
    packed("packs a redirect without end", "gzip", PackedZeros.gzip, PackedZeros.more, status: 302),
    EvilBehaviour("packs the transfer without end") { answer in
      [
        .send(answer.head(adding: "Transfer-Encoding: gzip\r\n") + PackedZeros.gzip),
        .sendEndlessly(PackedZeros.more),
      ]
    },
    encoded("says gzip and sends text", "gzip"),
    encoded("says deflate and sends text", "deflate"),
    encoded("says brotli and sends text", "br"),
    encoded("names fifty encodings", Array(repeating: "gzip", count: 50).joined(separator: ", ")),
    encoded("names an unknown encoding", "x-evil"),
    encoded("names an encoding of 20,000 letters", String(repeating: "g", count: 20_000)),
    EvilBehaviour("sends a gzip stream that ends too early") { answer in
      [
        .send(
          answer.bytes(
            adding: "Content-Encoding: gzip\r\n", body: PackedZeros.gzip + PackedZeros.more[..<99]))
      ]
    },
  ]

  private static func packed(
    _ name: String, _ encoding: String, _ start: [UInt8], _ more: [UInt8] = [], status: Int = 200
  ) -> EvilBehaviour {
    EvilBehaviour(name) { answer in
      let lines = "Content-Encoding: \(encoding)\r\nLocation: /\r\n"
      return [.send(answer.head(status: status, adding: lines) + start)]
        + [more.isEmpty ? .close : .sendEndlessly(more)]
    }
  }

  private static func encoded(_ name: String, _ encoding: String) -> EvilBehaviour {
    .adds(name, "Content-Encoding: \(encoding)\r\n")
  }
}
