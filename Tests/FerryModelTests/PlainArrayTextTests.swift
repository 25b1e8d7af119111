// Ferry: offline-first sync for Parse Server. MIT licence.

import Testing

@testable import FerryModel

/// Two plain array texts mean the same only if they are the same.
@Suite(.timeLimit(.minutes(1)))
struct PlainArrayTextTests {
  private func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { PlainArrayText.isOne($0) }
  }

  @Test(arguments: [
    #"[]"#, #"["a","b"]"#, #"[["é"],true,null,[false]]"#, #"["1","{}"," "]"#,
  ])
  func `strings, words and arrays are plain`(_ text: String) { #expect(isPlain(text)) }

  @Test(arguments: [
    #"["\u0061"]"#, "[1]", "[-0]", #"[{"a":1}]"#, #"[ "a"]"#, #"["a"] "#, #"["a" "b"]"#, #""a""#,
    "", "{}",
  ])
  func `what has other forms is not`(_ text: String) { #expect(!isPlain(text)) }

  @Test func `different plain texts have different values`() {
    let parts = [#""a""#, #""b""#, #""""#, #""é""#, "true", "[]", ",", "[", "]", #"""#, "x"]
    var values: [(text: String, value: Value)] = []
    for first in parts {
      for second in parts {
        for third in parts {
          let text = "[\(first)\(second)\(third)]"
          values.append((text, Value(wireJSON: text) ?? .string(text)))
        }
      }
    }
    for (index, left) in values.enumerated() where isPlain(left.text) {
      for right in values[..<index] where right.text != left.text && isPlain(right.text) {
        #expect(left.value != right.value, "\(left.text) and \(right.text)")
      }
    }
  }
}
