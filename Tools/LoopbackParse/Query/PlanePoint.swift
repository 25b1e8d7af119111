// Ferry: offline-first sync for Parse Server. MIT licence.

/// A place as PostgreSQL's own geometry takes it: in a plane of degrees.
struct PlanePoint: Hashable, Sendable {
  let x: Double
  let y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  init?(_ value: LoopbackValue) {
    guard let latitude = value["latitude"]?.number, let longitude = value["longitude"]?.number
    else {
      return nil
    }
    self.init(x: longitude, y: latitude)
  }

  static func corners(from first: PlanePoint, to second: PlanePoint) -> [PlanePoint] {
    [
      first, PlanePoint(x: second.x, y: first.y), second, PlanePoint(x: first.x, y: second.y),
    ]
  }

  /// Whether a ray from here crosses the sides of a polygon an odd number of times.
  func isInside(_ corners: [PlanePoint]) -> Bool {
    var isInside = false
    for (first, second) in zip(corners, corners.dropFirst() + corners.prefix(1))
    where (first.y > y) != (second.y > y) {
      let crossing = (second.x - first.x) * (y - first.y) / (second.y - first.y) + first.x
      if x < crossing { isInside.toggle() }
    }
    return isInside
  }
}
