// Ferry: offline-first sync for Parse Server. MIT licence.

/// Fields of a change whose values cannot be sent, and why the first of them cannot.
package struct UnsendableFields: Sendable {
  package private(set) var names = Set<String>()
  package private(set) var refusal: Refusal?

  package init() {}

  package mutating func add(_ name: String, _ refusal: Refusal) {
    names.insert(name)
    self.refusal = self.refusal ?? refusal
  }
}
