// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse

/// Why the work on one class stopped.
enum ClassError: Error {
  /// Every further request of the run would meet it too.
  case endsRun(SyncError)
  /// Other classes are not concerned; a later sync tries this one again.
  case failsClass(ClassFailure)
}

extension ClassError {
  /// Takes a refusal for what it means: the end of the run, or of the work on the class.
  init(_ error: ParseError) {
    self = SyncError(endingRun: error).map { .endsRun($0) } ?? .failsClass(.refused(error))
  }

  init(_ error: PageError) { self = .failsClass(.unreadable(error)) }

  /// Why the class alone fails.
  ///
  /// - Throws: The error that ends the run.
  func failure() throws(SyncError) -> ClassFailure {
    switch self {
    case .endsRun(let error): throw error
    case .failsClass(let failure): return failure
    }
  }
}
