// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryHTTP
import FerryPlanning
import FerryStore

/// Worlds that differ in one thing alone: what goes wrong at which moment of their last sync.
///
/// A simulation tries what chance gives. A fault injection leaves nothing out: each kind of failure, at each moment at
/// which it can happen.
///
/// ```swift
/// let injection = try FaultInjection(.kills, of: .workingDay(), in: Simulation())
/// let outcome = Simulation().play(injection.world(at: 7))
/// ```
public struct FaultInjection: Sendable {
  /// The kinds of failures.
  public enum Kind: String, CaseIterable, Sendable {
    /// Each status from 100 to 599 for each request, before and after the server carried the request out.
    case statuses = "each status for each request"
    /// Each error of the transport for each request.
    case transportErrors = "each transport error for each request"
    /// Each operation of each batch fails alone.
    case partialBatches = "each operation of each batch failing alone"
    /// Each answer cut after each of its bytes.
    case cuts = "each answer cut at each byte"
    /// Each value in each answer replaced by another, left out, or there twice.
    case alterations = "each value of each answer altered"
    /// Each request arrives late, or once more: before the next sync, or after it.
    case delays = "each request late, or twice"
    /// The process ends at each moment.
    case kills = "a kill at each moment"
    /// The process ends at each moment, and the process of the next sync ends as well.
    case secondKills = "a second kill in the recovery"
    /// The app, or another client, edits a row at each moment.
    case edits = "an edit at each moment"
    /// The store fails from each moment on, once and for the rest of the sync.
    case storeErrors = "a store that fails at each moment"
  }

  /// The kind of failure.
  public let kind: Kind
  private let base: World
  /// The failure in the last sync, and the events after the sync.
  private let variations: [(failure: Interruption, after: [Event])]

  /// The number of worlds.
  public var count: Int { variations.count }

  /// Finds the moments by playing the world once.
  ///
  /// - Parameters:
  ///   - kind: The kind of failure.
  ///   - base: A world whose last event is the sync that meets the failures.
  ///   - atWritesAlone: Whether to leave out all moments but those of requests that write.
  ///   - simulation: Plays the world.
  /// - Throws: `Violation` if the world breaks a rule without any failure.
  public init(
    _ kind: Kind, of base: World, atWritesAlone: Bool = false, in simulation: Simulation
  ) throws(Violation) {
    var base = base
    base.settings.isServerTruthful = kind != .alterations
    self.kind = kind
    self.base = base
    let moments = try simulation.moments(in: base).last ?? []
    let next = base.events.last
    let places = moments.indices.filter { !atWritesAlone || moments[$0].isOfWrite }
    variations = places.flatMap { place in
      Self.acts(kind, at: moments[place]).flatMap { act in
        Self.sequels(kind, of: place, in: moments, next)
          .map { (Interruption(moment: place, act: act), $0) }
      }
    }
  }

  /// One of the worlds, from 0 up to `count`.
  public func world(at number: Int) -> World {
    var world = base
    guard case .sync(let device, let selection, let comparison, _)? = base.events.last else {
      return world
    }
    let (failure, after) = variations[number]
    world.events[world.events.count - 1] = .sync(device, selection, comparison, [failure])
    world.events += after
    return world
  }

  /// The events after a failure, in each way that is played.
  ///
  /// - Parameters:
  ///   - kind: The kind of failure.
  ///   - place: The number of the failure's moment.
  ///   - moments: The moments of the sync.
  ///   - sync: The sync that fails.
  /// - Returns: One list for each world.
  private static func sequels(
    _ kind: Kind, of place: Int, in moments: [Moment], _ sync: Event?
  ) -> [[Event]] {
    guard case .sync(let device, let selection, let comparison, _)? = sync else { return [] }
    let again = Event.sync(device, selection, comparison, [])
    let other = Event.sync(device == 0 ? 1 : 0, .all, .rolling, [])
    // The app goes on with what was sent, or takes it back; or others go on.
    let goingOn =
      moments[place].isOfWrite
      ? [
        World.editsAfterWorkingDay, World.editsTakenBackAfterWorkingDay,
        World.editsOfOthersAfterWorkingDay + [other],
        World.editsOfOthersAfterWorkingDay + [.pass(200), other],
      ] : []
    switch kind {
    case .delays:
      return [[.deliver], [again, .deliver]]
        + goingOn.flatMap { [$0 + [.deliver], $0 + [again, .deliver]] }
    case .transportErrors, .kills: return [[]] + goingOn
    case .secondKills:
      // A recovery repeats much of the work, so every third of its moments is enough.
      return stride(from: place % 3, to: moments.count, by: 3).map { second in
        [.sync(device, selection, comparison, [Interruption(moment: second, act: .kill)])]
      }
    default: return [[]]
    }
  }

  private static func acts(_ kind: Kind, at moment: Moment) -> [Interruption.Act] {
    switch (kind, moment) {
    case (.kills, _), (.secondKills, _): [.kill]
    case (.edits, _):
      (World.editsAfterWorkingDay + World.editsTakenBackAfterWorkingDay + World.editsOfOthersInSync)
        .compactMap {
          if case .edit(let writer, let edit) = $0 { .edit(writer, edit) } else { nil }
        }
    case (.delays, .leaving): [.fate(.isDelayed), .fate(.arrivesTwice)]
    case (.storeErrors, _):
      [StoreError.Code.diskFull, .busy, .notAccessible, .damaged, .database].flatMap { code in
        [true, false].map { .storeFails(StoreFailure(code: code, isForGood: $0)) }
      }
    case (.statuses, .leaving): (100...599).map { .fate(.isAnswered($0)) }
    case (.statuses, .answered): (100...599).map { .fate(.isDoneButAnswered($0)) }
    case (.transportErrors, .leaving):
      transportErrors.flatMap { code in
        [HTTPError.Outcome.notSent, .unknown].map { .fate(.fails(code, $0)) }
      }
    case (.partialBatches, .leaving(let request)):
      request.operations.indices.map { .fate(.failsInPart(at: $0)) }
    case (.transportErrors, .answered): transportErrors.map { .fate(.isDoneButFails($0)) }
    case (.cuts, .answered(_, let body)): (0..<body.count).map { .fate(.isCut(after: $0)) }
    case (.alterations, .answered(_, let body)):
      (0..<AlteredAnswer(body).count).map { .fate(.isAltered($0)) }
    default: []
    }
  }

  /// Without those that only a wrong configuration can cause.
  private static let transportErrors: [HTTPError.Code] = [
    .couldNotResolve, .couldNotConnect, .timeout, .connectionLost, .tls, .protocolError, .tooLarge,
    .tooManyHeaders, .redirectRefused, .localFailure,
  ]
}
