// Ferry: offline-first sync for Parse Server. MIT licence.

extension String {
  /// A text of the engine in the tool's words: a user of the tool declares the schema in ferry.json.
  var inToolWords: String {
    replacing("The schema ", with: "ferry.json ").replacing("the schema", with: "ferry.json")
  }
}
