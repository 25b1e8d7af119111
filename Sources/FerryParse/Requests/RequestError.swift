// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Why a request cannot be made; nothing was sent.
package struct RequestError: Error, Hashable, Sendable {
  /// A reason; more may be added.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A class name or object id that a path cannot contain.
    package static let unusableName = Self(rawValue: "unusable-name")
    /// A parameter of a function that JSON cannot express, or that the server would misunderstand.
    package static let unusableParameter = Self(rawValue: "unusable-parameter")
    /// More operations than a batch may have, or none.
    package static let batchSize = Self(rawValue: "batch-size")
    /// Two operations on one object in one batch, which the server runs in no order.
    package static let sameObjectTwice = Self(rawValue: "same-object-twice")
  }

  package var code: Code
  package var message: String
}

extension RequestError: CustomStringConvertible {
  package var description: String { message }
}
