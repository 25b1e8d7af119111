// Ferry: offline-first sync for Parse Server. MIT licence.

/// Turns the operators on places and areas into conditions.
///
/// Distances on the sphere need an extension that the database lacks.
struct PlaceCompiler {
  /// The name of the column's type; nil inside an object.
  let type: String?

  /// The conditions among the operators on a field.
  func conditions(_ operators: [String: LoopbackValue]) throws(Refusal) -> [FieldTest] {
    if operators["$nearSphere"] != nil || operators["$geoWithin"]?["$centerSphere"] != nil {
      throw .queryFailed
    }
    var tests: [FieldTest] = []
    let box = operators["$within"]?["$box"]?.array?.compactMap(PlanePoint.init) ?? []
    if box.count == 2 { tests.append(.isInside(PlaneArea(from: box[0], to: box[1]))) }
    if let polygon = operators["$geoWithin"]?["$polygon"], polygon.isTruthy {
      tests.append(.isInside(PlaneArea(try corners(of: polygon))))
    }
    if !tests.isEmpty, type != "GeoPoint", type != "Polygon" { throw .queryFailed }
    if let value = operators["$geoIntersects"]?["$point"], value.isTruthy {
      guard value.typeName == "GeoPoint", let point = PlanePoint(value) else {
        throw .parse(107, "bad $geoIntersect value; $point should be GeoPoint")
      }
      guard point.isOnEarth else { throw .bare }
      guard type == "Polygon" else { throw .queryFailed }
      tests.append(.covers(point))
    }
    return tests
  }

  /// The corners of a `$polygon`; a pair is a longitude and a latitude here.
  private func corners(of polygon: LoopbackValue) throws(Refusal) -> [PlanePoint] {
    func bad(_ reason: String) -> Refusal { .parse(107, "bad $geoWithin value" + reason) }
    let elements: [LoopbackValue]
    if polygon.typeName == "Polygon" {
      elements = polygon["coordinates"]?.array ?? []
      guard elements.count >= 3 else {
        throw bad("; Polygon.coordinates should contain at least 3 lon/lat pairs")
      }
    } else {
      guard let array = polygon.array else {
        throw bad("; $polygon should be Polygon object or Array of Parse.GeoPoint's")
      }
      guard array.count >= 3 else {
        throw bad("; $polygon should contain at least 3 GeoPoints")
      }
      elements = array
    }
    var corners: [PlanePoint] = []
    for element in elements {
      let corner: PlanePoint
      if let pair = element.array, pair.count == 2, let x = pair[0].number, let y = pair[1].number {
        corner = PlanePoint(x: x, y: y)
      } else if element.typeName == "GeoPoint", let point = PlanePoint(element) {
        corner = point
      } else {
        throw bad("")
      }
      guard corner.isOnEarth else { throw .bare }
      corners.append(corner)
    }
    return corners
  }
}
