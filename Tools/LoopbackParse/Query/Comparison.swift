// Ferry: offline-first sync for Parse Server. MIT licence.

/// How two values are compared.
enum Comparison {
  case equal, less, lessOrEqual, greater, greaterOrEqual

  func holds<Value: Comparable>(_ first: Value, _ second: Value) -> Bool {
    switch self {
    case .equal: first == second
    case .less: first < second
    case .lessOrEqual: first <= second
    case .greater: first > second
    case .greaterOrEqual: first >= second
    }
  }
}
