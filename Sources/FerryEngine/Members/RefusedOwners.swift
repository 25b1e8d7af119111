// Ferry: offline-first sync for Parse Server. MIT licence.

/// Owners whose members the server did not list, although it went on listing those of others.
struct RefusedOwners {
  private(set) var count = 0
  private(set) var first: (owner: String, failure: ClassFailure)?

  mutating func add(_ owner: String, _ failure: ClassFailure) {
    count += 1
    if first == nil { first = (owner, failure) }
  }
}
