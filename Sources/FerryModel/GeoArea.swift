// Ferry: offline-first sync for Parse Server. MIT licence.

/// An area on earth in which a geo point may lie, its edge included.
public enum GeoArea: Sendable, Hashable {
  /// The points at most so far from a point, along the surface.
  ///
  /// The distance is in kilometres, on a sphere of 6371 km radius, as Parse has it. No point has a distance below 0.
  case circle(around: GeoPoint, kilometres: Double)
  /// The points between two latitudes and two longitudes.
  ///
  /// A box whose western longitude is greater than its eastern one crosses the date line.
  case box(southWest: GeoPoint, northEast: GeoPoint)

  /// Whether the area contains a point.
  public func contains(_ point: GeoPoint) -> Bool {
    switch self {
    case .circle(let centre, let kilometres): return centre.kilometres(to: point) <= kilometres
    case .box(let corner, let other):
      guard point.latitude >= corner.latitude, point.latitude <= other.latitude else {
        return false
      }
      let (isEast, isWest) = (
        point.longitude >= corner.longitude, point.longitude <= other.longitude
      )
      return corner.longitude <= other.longitude ? isEast && isWest : isEast || isWest
    }
  }
}
