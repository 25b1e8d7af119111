// Ferry: offline-first sync for Parse Server. MIT licence.

/// A place as PostgreSQL's own geometry takes it: in a plane of degrees.
struct PlanePoint: Hashable, Sendable {
  let x: Double
  let y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The place of a `GeoPoint`; nil for any other value.
  init?(_ value: LoopbackValue) {
    guard let latitude = value["latitude"]?.number, let longitude = value["longitude"]?.number
    else { return nil }
    self.init(x: longitude, y: latitude)
  }

  /// Whether the degrees are those of a place on Earth.
  var isOnEarth: Bool { abs(x) <= 180 && abs(y) <= 90 }
}
