// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

extension GeoArea {
  /// A box of coordinates that has all points of the area; nil if none has them without a seam or a pole.
  var box: (southWest: GeoPoint, northEast: GeoPoint)? {
    switch self {
    case .box(let corner, let other):
      guard corner.latitude <= other.latitude, corner.longitude <= other.longitude,
        corner.isOnEarth, other.isOnEarth
      else { return nil }
      return (corner, other)
    case .circle(let centre, let kilometres):
      guard centre.isOnEarth, kilometres >= 0, kilometres.isFinite else { return nil }
      // A little more than the radius, so that rounding leaves no point out.
      let angle = kilometres / 6371 * 1.000_001 + 1e-9
      let latitude = centre.latitude * .pi / 180
      guard abs(latitude) + angle < .pi / 2 else { return nil }
      let height = angle * 180 / .pi
      let width = asin(min(1, sin(angle) / cos(latitude))) * 180 / .pi + 1e-9
      let corners = (
        GeoPoint(latitude: centre.latitude - height, longitude: centre.longitude - width),
        GeoPoint(latitude: centre.latitude + height, longitude: centre.longitude + width)
      )
      return corners.0.isOnEarth && corners.1.isOnEarth ? corners : nil
    }
  }
}

extension GeoPoint {
  fileprivate var isOnEarth: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}
