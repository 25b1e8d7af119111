// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Areas on the wire: `{"__type":"Polygon","coordinates":[[0,0],[0,1],[1,1],[0,0]]}`.
package enum ParsePolygon {
  package static func read(_ element: JSONElement) -> [GeoPoint]? {
    guard element.isTyped("Polygon"), let corners = element["coordinates"]?.array else {
      return nil
    }
    var points: [GeoPoint] = []
    for corner in corners {
      let pair = corner.array?.compactMap(\.double) ?? []
      guard pair.count == 2, corner.memberCount == 2 else { return nil }
      points.append(GeoPoint(latitude: pair[0], longitude: pair[1]))
    }
    return points
  }
}
