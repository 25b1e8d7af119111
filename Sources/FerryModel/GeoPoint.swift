// Ferry: offline-first sync for Parse Server. MIT licence.

/// A place on earth, in degrees.
public struct GeoPoint: Hashable, Sendable, Codable {
  /// From -90 to 90.
  public var latitude: Double
  /// From -180 to 180.
  public var longitude: Double

  /// The place at those degrees; the ranges are checked by the server, not here.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
