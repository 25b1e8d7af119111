// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension ClassSurvey {
  /// The findings of a survey.
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

    /// A field whose type no row of the sample shows, or rows show differently.
    struct UntypedField: Sendable, Equatable {
      var className: String
      var field: String
    }

    /// A class whose rows the server does not show to this client.
    struct RefusedClass: Sendable, Equatable {
      enum Reason: Sendable {
        case forbidden, loginNeeded
      }

      var className: String
      var reason: Reason
    }

    var source: Source
    var entities: [Entity]
    var refused: [RefusedClass] = []
    var untyped: [UntypedField] = []
    /// Names that had to differ here, as sentences.
    var renamings: [String] = []
    /// Rules that the classes break all the same.
    var problems: [SchemaError.Problem] = []

    var classesWithoutFields: [String] { entities.filter(\.fields.isEmpty).map(\.name) }

    /// The findings that a person has to look at.
    var warnings: [String] {
      let hidden = Set(refused.map(\.className))
      let empty = classesWithoutFields.filter { !hidden.contains($0) }.map { name in
        "The server showed no row of \(name): it has no such class, the class is empty, or it shows "
          + "nothing to this client. Only the master key can ask which. The file lists no field of it. "
          + "Correct the name, or add its fields to ferry.json."
      }
      let fields = untyped.map { field in
        "No row of the sample shows the type of \(field.className).\(field.field), so the file leaves it "
          + "out. Add the field to ferry.json if you want it."
      }
      return refused.map(\.warning) + empty + fields + renamings
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
          "untyped": .array(
            untyped.map { ["class": .string($0.className), "field": .string($0.field)] }),
        ])
    }
  }
}

extension ClassSurvey.Result.RefusedClass {
  private var finding: String {
    switch reason {
    case .forbidden:
      "The server does not let \(className) be read, or has no such class (code 119)."
    case .loginNeeded: "The server shows \(className) only to users who are logged in (code 101)."
    }
  }

  /// The sentences about this class where the server shows others.
  fileprivate var warning: String {
    let remedy =
      switch reason {
      case .forbidden: "Correct the name, or add its fields to ferry.json."
      case .loginNeeded:
        "Add its fields to ferry.json, or run ferry init again with --force and --session-token-file or "
          + "--master-key-file."
      }
    return "\(finding) The file lists no field of it. \(remedy)"
  }

  /// The end of the command where the server shows no class.
  var failure: Failure {
    switch reason {
    case .forbidden:
      Failure(
        .noPermission, "refused",
        "\(finding) No file was written. Check the name, or give --master-key-file or "
          + "--session-token-file.")
    case .loginNeeded:
      Failure(
        .noPermission, "login-needed",
        "\(finding) No file was written. Give --session-token-file or --master-key-file.")
    }
  }
}
