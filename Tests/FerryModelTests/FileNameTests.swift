// Ferry: offline-first sync for Parse Server. MIT licence.

import Testing

@testable import FerryModel

@Suite struct FileNameTests {
  @Test(arguments: [
    ("beach.jpg", "beach.jpg"), ("a b@c~d-e_f.txt", "a b@c~d-e_f.txt"), ("a/b.jpg", "a_b.jpg"),
    ("..", "_.."), (".txt", "_.txt"), ("", "_"), ("é.jpg", "_.jpg"),
    ("a\u{1}b\r\n.txt", "a_b_.txt"),
    ("a:b", "a_b"), ("👩‍👩‍👧.png", "_.png"),
  ])
  func `a name is mended to one that the server takes`(name: String, mended: String) {
    #expect(FileName.mended(name) == mended)
    #expect(FileName.isSendable(FileName.mended(name)))
  }

  @Test func `a long name keeps its ending`() {
    let long = String(repeating: "x", count: 300)
    #expect(FileName.mended(long + ".jpeg") == String(repeating: "x", count: 123) + ".jpeg")
    #expect(FileName.mended(long).utf8.count == 128)
    #expect(FileName.mended("a." + long).utf8.count == 128)
    #expect(FileName.isSendable(FileName.mended("a." + long)))
  }

  @Test func `the value of a field leads back to the content`() throws {
    let sum = String(repeating: "0a", count: 32)
    let unsent = try #require(
      UnsentFile(sha256: sum, bytes: 5, type: "image/png", name: "a b.png"))
    let file = File(unsent)
    #expect(file.name == "unsent:\(sum):5:image/png:a b.png")
    #expect(file.unsent == unsent)
    #expect(File(name: "0_a.png").unsent == nil && !File(name: "0_a.png").isUnsent)
  }

  @Test(arguments: [
    "unsent:", "unsent:x:5:image/png:a.png", "unsent:@:0:image/png:a.png",
    "unsent:@:5:image:a.png", "unsent:@:5:image/png:a:b.png", "unsent:@:5:image/png:../a.png",
    "unsent:@:5:image/png", "unsent:../@:5:image/png:a.png", "unsent:@:-1:a/b:c",
    "unsent:@:5:a/b\n:c",
  ])
  func `a name that only looks like one of a new file leads nowhere`(name: String) {
    let name = name.replacing("@", with: String(repeating: "0a", count: 32))
    #expect(File(name: name).unsent == nil)
    #expect(File(name: name).isUnsent)
  }
}
