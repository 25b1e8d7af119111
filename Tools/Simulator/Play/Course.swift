// Ferry: offline-first sync for Parse Server. MIT licence.

/// A sync under way: how far it is, and what is still due within it.
struct Course {
  let device: Int
  private var due: ArraySlice<Interruption>
  /// The interruptions that are due at requests that write.
  private var dueAtWrites: ArraySlice<Interruption>
  /// The number of moments so far.
  private(set) var moments = 0
  /// How many of them were of requests that write.
  private var momentsOfWrites = 0
  /// The fates that wait for a request that they fit.
  private var fates: [Fate] = []
  /// Whether a request met a fate, or the device was killed.
  var wasRough = false
  /// Whether the device was killed.
  var wasKilled = false

  init(device: Int, interruptions: [Interruption]) {
    self.device = device
    let sorted = interruptions.sorted { $0.moment < $1.moment }
    due = sorted.filter { !$0.isOfWrite }[...]
    dueAtWrites = sorted.filter(\.isOfWrite)[...]
  }

  /// Counts a moment, and returns what is due at it.
  mutating func pass(_ moment: Moment) -> [Interruption.Act] {
    var acts = Self.take(&due, through: moments)
    moments += 1
    guard moment.isOfWrite else { return acts }
    acts += Self.take(&dueAtWrites, through: momentsOfWrites)
    momentsOfWrites += 1
    return acts
  }

  private static func take(
    _ due: inout ArraySlice<Interruption>, through moment: Int
  ) -> [Interruption.Act] {
    var acts: [Interruption.Act] = []
    while let next = due.first, next.moment <= moment {
      acts.append(next.act)
      due.removeFirst()
    }
    return acts
  }

  mutating func expect(_ fate: Fate) { fates.append(fate) }

  mutating func takeFate(at moment: Moment) -> Fate? {
    let isOfAnswer: Bool
    switch moment {
    case .leaving: isOfAnswer = false
    case .answered: isOfAnswer = true
    case .committed: return nil
    }
    guard let place = fates.firstIndex(where: { $0.isOfAnswer == isOfAnswer }) else { return nil }
    wasRough = true
    return fates.remove(at: place)
  }
}
