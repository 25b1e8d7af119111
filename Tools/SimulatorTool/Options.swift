// Ferry: offline-first sync for Parse Server. MIT licence.

/// The options of `ferry-simulate`.
struct Options {
  /// An option that cannot be followed.
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  var showsHelp = false
  /// Whether to play worlds with each seeded bug instead.
  var seedsBugs = false
  /// The one world to play.
  var seed: UInt64?
  var first: UInt64?
  var count: UInt64 = 1_000
  var seconds: Double?
  var threads = 1

  static let help = """
    ferry-simulate [--seeds N] [--first SEED] [--seconds S] [--threads N]
    ferry-simulate --seed SEED
    ferry-simulate --seeded-bugs [--seeds N] [--first SEED]

      Plays worlds of devices, a server and a network in which everything goes wrong, and holds them against
      the rules of what must never happen. Exits 1 if a world breaks a rule.

      --seeds N      plays N worlds; 1000 by default
      --first SEED   begins with this seed; with a random one by default
      --seconds S    begins no further world after this time
      --threads N    plays so many worlds at a time; 1 by default
      --seed SEED    plays one world; if it breaks a rule, finds the smallest world that does, and
                     writes it as a story
      --seeded-bugs  plays worlds with each of the seeded bugs until a rule catches it, at most N worlds
    """

  init(_ arguments: [String]) throws(Fault) {
    var left = arguments[...]
    while let name = left.popFirst() {
      switch name {
      case "--help", "-h": showsHelp = true
      case "--seeded-bugs": seedsBugs = true
      case "--seed": seed = try Self.number(name, &left)
      case "--first": first = try Self.number(name, &left)
      case "--seeds": count = try Self.number(name, &left)
      case "--seconds": seconds = try Self.number(name, &left)
      case "--threads": threads = max(1, try Self.number(name, &left))
      default: throw Fault(description: "There is no option \(name).")
      }
    }
  }

  private static func number<Number: LosslessStringConvertible>(
    _ name: String, _ left: inout ArraySlice<String>
  ) throws(Fault) -> Number {
    guard let text = left.popFirst(), let number = Number(text) else {
      throw Fault(description: "\(name) needs a number.")
    }
    return number
  }
}
