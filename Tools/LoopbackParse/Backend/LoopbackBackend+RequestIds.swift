// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension LoopbackBackend {
  /// Takes note of a request's id, before the request is carried out and whatever comes of it; one
  /// that was seen refuses the request.
  mutating func takeRequestId(
    _ id: String?, _ route: Route, _ path: String
  ) throws(Refusal) {
    guard let id, !id.isEmpty, route.isIdempotent, Self.isListed(path, configuration) else {
      return
    }
    guard requestIds.insert(id).inserted else { throw .parse(159, "Duplicate request") }
  }

  private static func isListed(_ path: String, _ configuration: LoopbackConfiguration) -> Bool {
    let path = path.dropFirst()
    return configuration.idempotentPaths.contains { pattern in
      path.range(of: "^(?:\(pattern))", options: .regularExpression) != nil
    }
  }
}

extension Route {
  /// Whether a Parse Server looks at the request id on this route at all.
  fileprivate var isIdempotent: Bool {
    switch self {
    case .create(let className), .update(let className, _):
      !["_Role", "_Session"].contains(className)
    case .function: true
    default: false
    }
  }
}
