// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Foundation

/// Why the description of a server cannot be used.
public struct ParseServerError: Error, Hashable, Sendable {
  /// A reason; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The reason in words joined by hyphens.
    public let rawValue: String

    /// Makes a code from its words.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The address is not `http` or `https` with a host.
    public static let notAnAddress = Self(rawValue: "not-an-address")
    /// The address has a part that a mount path cannot have: query, fragment or user.
    public static let unusedParts = Self(rawValue: "unused-parts")
    /// The application id is missing, or a key is empty or unusable in a header.
    public static let unusableKey = Self(rawValue: "unusable-key")
  }

  /// The reason.
  public var code: Code
  /// The fault, and what to do.
  public var message: String
}

extension ParseServerError: CustomStringConvertible {
  /// Shows the message.
  public var description: String { message }
}
