// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// The session in which requests are made; copies of a `ParseServer` share it.
package final class RequestSession: Sendable {
  private let read: Mutex<@Sendable () -> Secret?>

  /// A session whose token may change between two requests; a simulator changes users so.
  package init(_ token: @escaping @Sendable () -> Secret?) { read = Mutex(token) }

  /// The token that a request carries if it is made now; nil for nobody.
  package var token: Secret? {
    let read = read.withLock { $0 }
    return read()
  }

  /// Goes on with another token of the same user.
  package func go(onWith token: Secret) { read.withLock { $0 = { token } } }
}
