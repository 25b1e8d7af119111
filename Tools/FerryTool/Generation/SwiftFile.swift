// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The Swift file for the classes of a `ferry.json`.
///
/// Equal classes give equal bytes: the file has no date and no path.
struct SwiftFile {
  /// The first line of each such file; a file without it belongs to its author.
  static let firstLine =
    #"// Made by "ferry generate swift" from ferry.json. Do not edit: change ferry.json and make it again."#

  private let structs: [SwiftStruct]

  init(_ schema: Schema) {
    let types = SwiftNames.types(of: schema.entities.map(\.name))
    structs = zip(schema.entities, types).map { SwiftStruct($0, type: $1) }
  }

  /// The names of the structs, by class.
  var types: [String: String] {
    Dictionary(structs.map { ($0.entity.name, $0.type) }, uniquingKeysWith: { first, _ in first })
  }

  var text: String {
    """
    \(Self.firstLine)
    // swift-format-ignore-file

    import Ferry
    import Foundation

    extension Schema {
      /// The classes of ferry.json, in its order.
      static let app: Schema = {
        var schema = Schema([
    \(structs.map { "      \($0.type).entity," }.joined(separator: "\n"))
        ])
        schema.name = "ferry.json"
        return schema
      }()

      /// The structs of this file, for `SyncCoordinator(store:server:staging:checking:)`.
      static let appTypes: [any SyncEntity.Type] = [
    \(structs.map { "    \($0.type).self," }.joined(separator: "\n"))
      ]
    }

    \(structs.map(\.code).joined(separator: "\n\n"))

    """
  }
}
