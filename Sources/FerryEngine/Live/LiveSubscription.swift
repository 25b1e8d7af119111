// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse

/// The live query of a class: the records of its filter.
struct LiveSubscription: Equatable {
  /// The number under which the server speaks of it.
  var request: Int
  var className: String
  private var filter: Value

  /// The live queries of the classes that a sync lists.
  ///
  /// - Throws: `FilterError` for a filter that the schema's validation refuses.
  static func all(of schema: Schema) throws(FilterError) -> [LiveSubscription] {
    var subscriptions: [LiveSubscription] = []
    for entity in schema.entities where entity.isListed {
      subscriptions.append(
        LiveSubscription(
          request: subscriptions.count + 1, className: entity.name,
          filter: .object(try entity.filterConstraint()?.wire ?? [:])))
    }
    return subscriptions
  }

  /// The message that asks for it: the server leaves out all fields but those that name the record and its version.
  var message: String {
    WireJSON.text([
      "op": "subscribe", "requestId": .integer(Int64(request)),
      "query": ["className": .string(className), "where": filter, "keys": ["objectId"]],
    ])
  }
}
