// Ferry: offline-first sync for Parse Server. MIT licence.

/// A polygon as PostgreSQL's own geometry takes it: in a plane of degrees.
struct PlaneArea: Hashable, Sendable {
  let corners: [PlanePoint]

  init(_ corners: [PlanePoint]) { self.corners = corners }

  /// The rectangle between two of its corners.
  init(from first: PlanePoint, to second: PlanePoint) {
    corners = [
      first, PlanePoint(x: second.x, y: first.y), second, PlanePoint(x: first.x, y: second.y),
    ]
  }

  /// The area of a value's `coordinates`, with a closed ring.
  ///
  /// The server checks the latitude of a pair as a longitude, and the longitude as a latitude.
  init(polygon coordinates: LoopbackValue?) throws(Refusal) {
    let pairs = coordinates?.array ?? []
    guard pairs.count >= 3 else { throw .parse(107, "Polygon must have at least 3 values") }
    var corners: [PlanePoint?] = pairs.map { pair in
      let degrees = (pair.array ?? []).map { $0.number ?? $0.string.flatMap(Double.init) ?? .nan }
      return degrees.count > 1 ? PlanePoint(x: degrees[1], y: degrees[0]) : nil
    }
    if corners.first != corners.last { corners.append(corners[0]) }
    guard Set(corners).count > 2 else {
      throw .parse(1, "GeoJSON: Loop must have at least 3 different vertices")
    }
    guard let corners = corners as? [PlanePoint],
      corners.allSatisfy({ PlanePoint(x: $0.y, y: $0.x).isOnEarth })
    else { throw .bare }
    self.corners = corners
  }

  /// The coordinates as the server reads them from its database.
  var coordinates: LoopbackValue {
    .array(corners.map { [.number($0.y), .number($0.x)] })
  }

  /// The mean of the corners, which is what PostgreSQL makes of a polygon where a point is needed.
  var middle: PlanePoint {
    let count = Double(corners.count)
    return PlanePoint(
      x: corners.map(\.x).reduce(0, +) / count, y: corners.map(\.y).reduce(0, +) / count)
  }

  /// Whether a point lies inside or on the edge: a ray from it crosses an odd number of sides.
  func covers(_ point: PlanePoint) -> Bool {
    var isInside = false
    for (first, second) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      if Self.isOnSide(point, first, second) { return true }
      guard (first.y > point.y) != (second.y > point.y) else { continue }
      let share = (point.y - first.y) / (second.y - first.y)
      if point.x < first.x + share * (second.x - first.x) { isInside.toggle() }
    }
    return isInside
  }

  private static func isOnSide(
    _ point: PlanePoint, _ first: PlanePoint, _ second: PlanePoint
  ) -> Bool {
    let cross =
      (second.x - first.x) * (point.y - first.y) - (second.y - first.y) * (point.x - first.x)
    return abs(cross) < 1e-9 && point.x >= min(first.x, second.x)
      && point.x <= max(first.x, second.x) && point.y >= min(first.y, second.y)
      && point.y <= max(first.y, second.y)
  }

  /// PostgreSQL's `~=`: the same corners from some beginning on, either way round.
  ///
  /// The corner that closes a ring counts, so that a ring from another beginning is another area.
  func isSame(as other: PlaneArea) -> Bool {
    guard corners.count == other.corners.count else { return false }
    return other.corners.indices.contains { start in
      let rotated = Array(other.corners[start...] + other.corners[..<start])
      return corners == rotated || corners == rotated.prefix(1) + rotated.dropFirst().reversed()
    }
  }
}
