// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension ClassSurvey {
  /// What was found out.
  struct Result: Sendable {
    enum Source: String, Sendable {
      case schemas, sample

      var words: String {
        switch self {
        case .schemas: "the server's schemas"
        case .sample: "a sample of each class"
        }
      }
    }

    /// A field whose type no row of the sample shows.
    struct UntoldField: Sendable, Equatable {
      var className: String
      var field: String
    }

    var source: Source
    var entities: [Entity]
    var untold: [UntoldField] = []
    /// Names that had to differ here, as sentences.
    var renamings: [String] = []
    /// Rules that the classes break all the same.
    var problems: [SchemaError.Problem] = []

    var classesWithoutFields: [String] { entities.filter(\.fields.isEmpty).map(\.name) }

    /// What has to be looked at by hand.
    var warnings: [String] {
      let empty = classesWithoutFields.map { name in
        "No field of \(name) could be told: it has no rows that may be read. Add its fields to "
          + "ferry.json."
      }
      let fields = untold.map { field in
        "The type of \(field.className).\(field.field) could not be told: no row of the sample shows one. "
          + "Add it to ferry.json if you want it."
      }
      return empty + fields + renamings
        + problems.map { "\($0.message) Correct ferry.json before you sync." }
    }

    func json(file: String) -> JSONMessage {
      JSONMessage(
        "init",
        [
          "file": .string(file), "source": .string(source.rawValue),
          "classes": .object(
            Dictionary(
              entities.map { ($0.name, .texts($0.fields.map(\.name))) },
              uniquingKeysWith: { first, _ in first })),
          "untold": .array(
            untold.map { ["class": .string($0.className), "field": .string($0.field)] }),
        ])
    }
  }
}
