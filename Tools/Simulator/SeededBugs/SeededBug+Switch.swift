// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// Mistakes in the engine's code, which only the copy of `SeededSources` has.
extension SeededBug {
  /// Whether this build of the simulator can play the bug.
  package var isAvailable: Bool {
    #if FERRY_SEEDED_BUGS
      true
    #else
      parts.allSatisfy(\.changes.isEmpty)
    #endif
  }

  /// Switches the mistakes of a bug on, and all others off; nil for none.
  package static func turnOn(_ bug: SeededBug?) {
    #if FERRY_SEEDED_BUGS
      SeededSwitch.mask = (0, 0)
      for (number, other) in allCases.enumerated() where bug?.parts.contains(other) == true {
        if number < 64 {
          SeededSwitch.mask.0 |= 1 << UInt64(number)
        } else {
          SeededSwitch.mask.1 |= 1 << UInt64(number - 64)
        }
      }
    #endif
  }
}
