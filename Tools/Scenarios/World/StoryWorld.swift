// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryHTTP
import FerryModel
import Foundation
import LoopbackParse
import Synchronization

/// The actors of one telling, and what is under way between them.
final class StoryWorld: Sendable {
  let telling: Telling
  let variant: ScenarioVariant
  let clock = StoryClock(seed: 1)
  let names = NameBook()
  let server: any StoryServer
  let client: StoryClient
  let folder: URL
  private let devicesByName = Mutex<[String: StoryDevice]>([:])
  private let state = Mutex(State())

  private struct State {
    var schedule = Schedule()
    /// Closures that carry out the requests that were delayed.
    var delayed: [@Sendable () throws -> Void] = []
    var failure: PlacedFault?
  }

  /// Puts the actors in place; `makeServer` makes a real server, and is nil where the variant needs none.
  init(
    _ telling: Telling, on variant: ScenarioVariant,
    at makeServer: ((StoryServerSetup) throws -> any StoryServer)?
  ) throws {
    self.telling = telling
    self.variant = variant
    folder = FileManager.default.temporaryDirectory
      .appending(path: "ferry-story-\(UUID().uuidString)")
    let rules = RuleBook()
    let setup = StoryServerSetup(telling.options, variant)
    server = try makeServer?(setup) ?? Self.double(telling, variant, setup, clock, rules)
    client = StoryClient(server: server, names: names, rules: rules)
    for name in telling.devices {
      let device = try StoryDevice(name, in: self)
      devicesByName.withLock { $0[name] = device }
    }
  }

  private static func double(
    _ telling: Telling, _ variant: ScenarioVariant, _ setup: StoryServerSetup,
    _ clock: StoryClock, _ rules: RuleBook
  ) throws -> any StoryServer {
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = setup.allowsCustomIDs
    configuration.collation = setup.collation
    configuration.maxLimit = setup.maxLimit
    configuration.brokenBatch = setup.brokenBatch
    if setup.hasModule {
      configuration.ferryModule = LoopbackFerryModule(classes: telling.schema.entities.map(\.name))
    }
    for entity in telling.schema.entities {
      configuration.triggers[entity.name] = rules.triggers(of: entity.name)
    }
    configuration.seed = 1
    configuration.now = { clock.now }
    switch variant.server {
    case .inProcess: return InProcessServer(configuration)
    case .sockets: return try SocketServer(configuration)
    case .real: throw StoryFault("the caller must provide a real server for this story")
    }
  }

  var devices: [StoryDevice] {
    devicesByName.withLock { devices in telling.devices.compactMap { devices[$0] } }
  }

  func device(_ name: String) throws -> StoryDevice {
    guard let device = devicesByName.withLock({ $0[name] }) else {
      throw StoryFault("there is no device \(name)")
    }
    return device
  }

  /// Releases the devices, which hold the world in turn.
  func letGo() {
    devicesByName.withLock { $0 = [:] }
    try? FileManager.default.removeItem(at: folder)
  }
}

// Reactions within syncs.
extension StoryWorld {
  func schedule(_ change: (inout Schedule) -> Void) { state.withLock { change(&$0.schedule) } }

  /// Ends the events of this tick.
  ///
  /// - Throws: The fault within a sync, or a moment that never came.
  func endTick() throws {
    let (schedule, failure) = state.withLock { state in
      defer {
        state.schedule = Schedule()
        state.failure = nil
      }
      return (state.schedule, state.failure)
    }
    if let failure { throw failure }
    guard let (moment, place) = schedule.missed.first else { return }
    throw PlacedFault(place: place, message: "it never came to that: \(moment.text)")
  }

  func content(of request: HTTPRequest) -> RequestContent {
    RequestContent(
      request, mountPath: server.url.path(percentEncoded: false),
      keyField: telling.options.sync.clientKeyField)
  }

  /// Does what is due at an event on a device, and says what becomes of the request or its answer.
  @discardableResult
  func reached(_ event: Schedule.Event, on device: String) -> Fate? {
    let known = Dictionary(
      state.withLock(\.schedule.names).map { ($0, ids(of: $0)) }, uniquingKeysWith: { $1 })
    let due = state.withLock { $0.schedule.due(at: event) { known[$0] ?? [] } }
    var fate: Fate?
    for (reaction, place) in due {
      do {
        switch reaction {
        case .act(let actor, let step): try perform(step, by: actor)
        case .kill(let name): if name == device { try self.device(name).kill() }
        case .fate(let chosen): fate = chosen
        }
      } catch {
        state.withLock { $0.failure = $0.failure ?? PlacedFault(place: place, cause: error) }
      }
    }
    return fate
  }

  /// All ids that a record goes by.
  func ids(of name: String) -> Set<String> {
    for device in devices { device.learnID(of: name) }
    return Set(names.identity(name)?.objectIDs ?? [])
  }

  func delay(_ request: HTTPRequest, _ content: RequestContent, sentAt time: Date) {
    var request = request
    request.delay = .zero
    let held = HeldRequest(request: request, sentAt: time, writes: content.writes)
    do {
      let carryOut = try server.holdBack(held)
      state.withLock { $0.delayed.append(carryOut) }
    } catch {
      let failure = PlacedFault(place: Place(line: 1), cause: error)
      state.withLock { $0.failure = $0.failure ?? failure }
    }
  }

  /// Lets all that was delayed reach the server now.
  func deliver() throws {
    let delayed = state.withLock { state in
      defer { state.delayed = [] }
      return state.delayed
    }
    guard !delayed.isEmpty else { throw StoryFault("nothing was delayed") }
    for carryOut in delayed { try carryOut() }
    try learnDuplicates()
  }

  /// Recognises records by the key that their create came with.
  private func learnDuplicates() throws {
    for entity in telling.schema.entities {
      for row in try server.rows(of: entity.name) {
        guard let key = row[telling.options.sync.clientKeyField]?.string,
          let id = row["objectId"]?.string, let name = names.name(of: entity.name, objectID: key)
        else { continue }
        names.learnDuplicate(name, objectID: id)
      }
    }
  }
}

/// A fault, and the place in the story where it came up.
struct PlacedFault: Error {
  var place: Place
  var message: String

  init(place: Place, message: String) {
    self.place = place
    self.message = message
  }

  init(place: Place, cause: any Error) {
    self = cause as? PlacedFault ?? PlacedFault(place: place, message: "\(cause)")
  }
}
