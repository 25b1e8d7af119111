// Ferry: offline-first sync for Parse Server. MIT licence.

/// A sync under way: how far it is, and what is still due within it.
struct Course {
  let device: Int
  private var due: ArraySlice<Interruption>
  /// The number of moments so far.
  private(set) var moments = 0
  /// The fates that wait for a request that they fit.
  private var fates: [Fate] = []
  /// Whether a request met a fate, or the device was killed.
  var wasRough = false

  init(device: Int, interruptions: [Interruption]) {
    self.device = device
    due = interruptions.sorted { $0.moment < $1.moment }[...]
  }

  /// Counts a moment, and returns what is due at it.
  mutating func pass() -> [Interruption.Act] {
    var acts: [Interruption.Act] = []
    while let next = due.first, next.moment <= moments {
      acts.append(next.act)
      due.removeFirst()
    }
    moments += 1
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
