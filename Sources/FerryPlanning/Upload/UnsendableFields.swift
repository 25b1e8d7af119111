// Ferry: offline-first sync for Parse Server. MIT licence.

/// Fields of a change whose values cannot be sent, and why they cannot.
package struct UnsendableFields: Sendable {
  package var names = Set<String>()
  package var refusal: Refusal?

  package init() {}
}
