// Ferry: offline-first sync for Parse Server. MIT licence.

/// The headers of a request or an answer, found by name whatever the case.
///
/// ```swift
/// let headers: LoopbackHeaders = ["X-Parse-Application-Id": "app1"]
/// headers["x-parse-application-id"]  // "app1"
/// ```
public struct LoopbackHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var values: [String: String] = [:]
  private var names: [String] = []

  /// Makes headers from names and values; of a name given twice the last value counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a header, or nil if it is not there.
  ///
  /// - Parameter name: the header's name, in any case.
  public subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set {
      let key = name.lowercased()
      if values[key] != nil { names.removeAll { $0.lowercased() == key } }
      if newValue != nil { names.append(name) }
      values[key] = newValue
    }
  }

  /// Names and values in the order they were set.
  public var pairs: [(name: String, value: String)] {
    names.map { ($0, values[$0.lowercased()] ?? "") }
  }
}
