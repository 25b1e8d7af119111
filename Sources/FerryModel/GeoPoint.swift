// Ferry: offline-first sync for Parse Server. MIT licence.

/// A place on earth, in degrees.
public struct GeoPoint: Hashable, Sendable, Codable {
  /// From -90 to 90.
  public var latitude: Double
  /// From -180 to 180.
  public var longitude: Double

  /// The place at those degrees; the server checks the ranges, this type does not.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
