// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

/// The sums of FIPS 180-4 and of NIST's examples.
@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `a text has the known sum`(text: String, sum: String) {
    #expect(SHA256.text(of: text) == sum)
  }

  @Test func `parts of any size have the sum of the whole`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for count in 0...200 {
      var (whole, parts) = (SHA256(), SHA256())
      bytes[..<count].withUnsafeBytes { whole.add($0) }
      for start in stride(from: 0, to: count, by: 13) {
        bytes[start..<min(start + 13, count)].withUnsafeBytes { parts.add($0) }
        _ = parts.text
      }
      #expect(whole.text == parts.text)
    }
  }
}
