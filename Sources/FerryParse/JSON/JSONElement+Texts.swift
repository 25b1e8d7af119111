// Ferry: offline-first sync for Parse Server. MIT licence.

extension JSONElement {
  /// The elements of an array of texts; nil if it is something else.
  var texts: [String]? {
    guard let array else { return nil }
    var texts: [String] = []
    for element in array {
      guard let text = element.string else { return nil }
      texts.append(text)
    }
    return texts
  }
}
