// Ferry: offline-first sync for Parse Server. MIT licence.

extension SmallScope {
  /// The most failures of a world: the end of a process, and a lost answer.
  public static let mostFailures = Failure.allCases.count

  /// A failure that happens once in a world, at a request of a sync.
  private enum Failure: CaseIterable {
    /// The device's process ends before the server acts, or before the device learns of it.
    case kill
    /// The device loses the answer.
    case lostAnswer

    func act(at moment: Moment) -> Interruption.Act? {
      switch (self, moment) {
      case (.kill, .leaving): .kill
      // A read changes nothing there: the end after it is the same as the end before it.
      case (.kill, .answered): moment.isOfWrite ? .kill : nil
      case (.lostAnswer, .answered): .fate(.losesItsAnswer)
      case (.lostAnswer, .leaving), (_, .committed): nil
      }
    }
  }

  /// A moment of a world: the number of the sync, and of the moment within it.
  private typealias Place = (sync: Int, moment: Int)

  /// A world, and each world in which requests of its syncs fail.
  ///
  /// - Parameters:
  ///   - world: The world without a failure.
  ///   - failures: The most failures of a world, up to `mostFailures`: each happens once, in any order.
  ///   - simulation: Plays the worlds to find the requests that can fail.
  /// - Returns: The worlds. A world that breaks a rule has none with a further failure.
  public static func variations(
    of world: World, failures: Int = 1, in simulation: Simulation
  ) -> [World] {
    variations(
      of: world, after: (0, -1), adding: failures, of: Failure.allCases, in: simulation)
  }

  private static func variations(
    of world: World, after last: Place, adding count: Int, of failures: [Failure],
    in simulation: Simulation
  ) -> [World] {
    guard count > 0, let syncs = try? simulation.moments(in: world) else { return [world] }
    var worlds = [world]
    for (sync, moments) in syncs.enumerated() {
      for (number, moment) in moments.enumerated() where (sync, number) > last {
        for failure in failures {
          guard let act = failure.act(at: moment) else { continue }
          let failing = world.interrupting(sync, Interruption(moment: number, act: act))
          worlds += variations(
            of: failing, after: (sync, number), adding: count - 1,
            of: failures.filter { $0 != failure }, in: simulation)
        }
      }
    }
    return worlds
  }
}

extension World {
  /// The world with a further interruption of the sync of that number.
  fileprivate func interrupting(_ number: Int, _ interruption: Interruption) -> World {
    let places = events.indices.filter { place in
      if case .sync = events[place] { true } else { false }
    }
    guard places.indices.contains(number),
      case .sync(let device, let selection, let comparison, let interruptions) = events[
        places[number]]
    else { return self }
    var world = self
    world.events[places[number]] = .sync(
      device, selection, comparison, interruptions + [interruption])
    return world
  }
}
