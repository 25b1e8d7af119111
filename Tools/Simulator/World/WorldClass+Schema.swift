// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryScenarios
import LoopbackParse

extension WorldClass {
  /// The classes of an app's schema, for worlds of their own.
  ///
  /// One text field of each class names its rows, and worlds never change it. Without a choice of yours that is the first
  /// text field that no filter compares.
  ///
  /// ```swift
  /// let classes = try WorldClass.classes(of: schema)
  /// let campaign = Campaign(first: 1, count: 500, threads: 4) { World(seed: $0, classes: classes) }
  /// for failure in campaign.run().1 {
  ///   let world = World(seed: failure.number, classes: classes)
  ///   let smallest = Simulation().shrink(world, breaking: failure.violation.rule)
  ///   print(Simulation().play(smallest, tells: true).story)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - schema: The schema, as the app gives it to its store.
  ///   - titles: For a class, the text field that names its rows.
  /// - Returns: The classes.
  /// - Throws: `WorldSchemaError` for the first thing that no world can have.
  public static func classes(
    of schema: Schema, titles: [String: String] = [:]
  ) throws(WorldSchemaError) -> [WorldClass] {
    do throws(SchemaError) {
      try schema.validate()
    } catch {
      throw WorldSchemaError(.invalidSchema, nil, error.description)
    }
    if let stranger = titles.keys.sorted().first(where: { schema.entity($0) == nil }) {
      throw WorldSchemaError(
        .title, stranger,
        "A title is given for the class \(stranger), which \(schema.name) does not declare. Correct the name."
      )
    }
    let names = Set(schema.entities.filter { $0.membership == nil }.map(\.name))
    var classes: [WorldClass] = []
    // Nobody writes relations in a world, so the members of relations are left out.
    for entity in schema.entities where entity.membership == nil {
      try entity.checkForWorld()
      classes.append(
        WorldClass(
          entity, title: try entity.title(chosen: titles[entity.name]), among: names))
    }
    try checkWithServer(classes)
    return classes
  }

  /// The double knows the rules of a Parse Server for classes.
  private static func checkWithServer(_ classes: [WorldClass]) throws(WorldSchemaError) {
    var backend = LoopbackBackend(LoopbackConfiguration())
    for made in classes {
      let answer = backend.answer(made.declaration)
      guard answer.status != 200 else { continue }
      let words = (try? LoopbackValue(json: answer.body))?["error"]?.string ?? "\(answer.status)"
      throw WorldSchemaError(
        .refusedByServer, made.name,
        "A Parse Server does not take the class \(made.name): \(words) Correct the class.")
    }
  }

  /// The request with which the server's owner declares the class.
  var declaration: LoopbackRequest {
    LoopbackRequest(
      "POST", "/parse/schemas/\(name)",
      headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"],
      json: ["className": .string(name), "fields": .object(entity.declarations)])
  }
}

extension Entity {
  fileprivate func checkForWorld() throws(WorldSchemaError) {
    guard !name.hasPrefix("_") else {
      throw WorldSchemaError(
        .systemClass, name,
        "No world plays the class \(name): the server creates and protects its records by rules of their own. "
          + "Leave it out of the schema for the world; pointers to it may stay.")
    }
    guard serializer == nil else {
      throw WorldSchemaError(
        .wireFormat, name,
        "No world plays the wire format of \(name): the rules read the server's records by the fields. Leave "
          + "the format out for the world.")
    }
    guard let recordFilter else { return }
    let strange = recordFilter.fields.sorted().first { field($0)?.isFilteredInWorlds != true }
    guard let strange else { return }
    throw WorldSchemaError(
      .filter, name,
      "No world plays the filter of \(name), because it compares \(strange): worlds choose texts, numbers, "
        + "dates and Booleans, but neither ids nor times of creation. Give the class another filter for the world."
    )
  }

  fileprivate func title(chosen: String?) throws(WorldSchemaError) -> String {
    let filtered = recordFilter?.fields ?? []
    func names(_ field: Field) -> Bool { field.type == .text && !filtered.contains(field.name) }
    if let chosen {
      guard let field = field(chosen), names(field) else {
        throw WorldSchemaError(
          .title, name,
          "\(chosen) cannot name the rows of \(name). Choose a declared text field that the filter does not compare."
        )
      }
      return chosen
    }
    guard let field = fields.first(where: names) else {
      throw WorldSchemaError(
        .noTitle, name,
        "\(name) has no text field for the names of its rows, by which the rules recognise a record under "
          + "whatever id. Add one to the schema for the world, which the filter does not compare.")
    }
    return field.name
  }
}

extension Field {
  /// Whether worlds choose values of the field that a filter compares.
  fileprivate var isFilteredInWorlds: Bool {
    switch type {
    case .text, .integer, .number, .boolean, .date: true
    case .pointer, .bytes, .object, .array, .geoPoint, .polygon, .file, .relation: false
    }
  }
}
