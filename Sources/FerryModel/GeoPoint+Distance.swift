// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension GeoPoint {
  /// The radius of the earth that Parse computes with, in kilometres.
  private static let radius = 6371.0

  /// The distance to another place along the surface, in kilometres.
  public func kilometres(to other: GeoPoint) -> Double {
    let degree = Double.pi / 180
    let acrossLatitude = sin((other.latitude - latitude) * degree / 2)
    let acrossLongitude = sin((other.longitude - longitude) * degree / 2)
    let haversine =
      acrossLatitude * acrossLatitude
      + cos(latitude * degree) * cos(other.latitude * degree) * acrossLongitude * acrossLongitude
    // Rounding may lead beyond 1 at the opposite side of the earth.
    return 2 * Self.radius * asin(min(1, haversine.squareRoot()))
  }
}
