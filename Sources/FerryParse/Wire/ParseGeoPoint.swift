// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Places on the wire: `{"__type":"GeoPoint","latitude":48.1,"longitude":11.6}`.
package enum ParseGeoPoint {
  package static func read(_ element: JSONElement) -> GeoPoint? {
    guard element.isTyped("GeoPoint"), let latitude = element["latitude"]?.double,
      let longitude = element["longitude"]?.double
    else { return nil }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }
}
