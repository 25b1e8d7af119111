// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import Foundation

/// A story of devices, a server and a network, told in text and played by the engine.
///
/// `Documentation/Testing.md` describes the notation. In a test of an app:
///
/// ```swift
/// let story = try Scenario(contentsOf: url)
/// for variant in story.variants { try await story.run(on: variant) }
/// ```
public struct Scenario: Sendable {
  /// The story's number, as `S1`.
  public let number: String
  /// The subject of the story, in a sentence.
  public let title: String

  let tellings: [Telling]

  /// Reads a story from a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - schema: The classes, for a story that does not declare its own.
  /// - Throws: `ScenarioError` for a text that is no story, and what reading the file throws.
  public init(contentsOf url: URL, schema: Schema? = nil) throws {
    try self.init(String(contentsOf: url, encoding: .utf8), schema: schema)
  }

  /// Reads a story from its text.
  ///
  /// - Parameters:
  ///   - text: The story.
  ///   - schema: The classes, for a story that does not declare its own.
  /// - Throws: `ScenarioError`, which names the line and what was expected there.
  public init(_ text: String, schema: Schema? = nil) throws(ScenarioError) {
    let reader = ScenarioReader(text, schema: schema)
    (number, title) = try reader.title()
    tellings = try reader.tellings()
  }

  /// The variants that the story can be told in: all, unless its options say otherwise.
  public var variants: [ScenarioVariant] { ScenarioVariant.all.filter(canBeTold) }

  /// The variants in which the story is told on a real server; none, unless its options ask for it.
  package var realVariants: [ScenarioVariant] {
    guard tellings.first?.options.isAlsoReal == true else { return [] }
    return ScenarioVariant.real.filter(canBeTold)
  }

  private func canBeTold(in variant: ScenarioVariant) -> Bool {
    guard let options = tellings.first?.options else { return false }
    return (options.store ?? variant.store) == variant.store
      && (options.allowsCustomIDs ?? variant.allowsCustomIDs) == variant.allowsCustomIDs
  }

  /// Plays the story, once for each combination of its alternatives.
  ///
  /// - Parameter variant: Where and how.
  /// - Throws: `ScenarioFailure` when it does not come out as it says, or leaves anything over.
  public func run(on variant: ScenarioVariant) async throws {
    try await run(on: variant, at: nil)
  }

  /// Plays the story on servers that the caller brings, each for one telling.
  ///
  /// - Parameters:
  ///   - variant: How.
  ///   - makeServer: Makes a server without classes and users, as the story needs it; nil for the double.
  /// - Throws: `ScenarioFailure` when it does not come out as it says, or leaves anything over.
  package func run(
    on variant: ScenarioVariant,
    at makeServer: (@Sendable (StoryServerSetup) throws -> any StoryServer)?
  ) async throws {
    try await withCheckedThrowingContinuation { continuation in
      // The story blocks where it waits, so it has a thread of its own.
      Thread.detachNewThread {
        continuation.resume(
          with: Result { for telling in tellings { try play(telling, on: variant, makeServer) } })
      }
    }
  }

  private func play(
    _ telling: Telling, on variant: ScenarioVariant,
    _ makeServer: ((StoryServerSetup) throws -> any StoryServer)?
  ) throws {
    let world = try StoryWorld(telling, on: variant, at: makeServer)
    defer { world.letGo() }
    do {
      try world.begin()
      for part in telling.parts {
        switch part {
        case .tick(let tick): try world.perform(tick)
        case .expectation(let expectation): try world.check(expectation)
        }
      }
      try world.end()
    } catch {
      throw failure(error, in: world)
    }
  }

  private func failure(_ error: any Error, in world: StoryWorld) -> ScenarioFailure {
    let told = ([world.variant.description] + world.telling.choices).joined(separator: "; ")
    let worlds = (try? world.lines()) ?? []
    var columns = worlds.map { SideBySide.Column(title: $0.actor.title, lines: $0.lines) }
    var first: WorldLine.Key?
    let place: Place
    let message: String
    if let difference = error as? WorldDifference {
      place = difference.place
      message = "\(difference.actor.title) is not as the story says"
      let held = worlds.first { $0.actor == difference.actor }?.lines ?? []
      first = SideBySide.firstDifference(difference.expected, held)
      columns.insert(
        .init(title: "expected of \(difference.actor.title)", lines: difference.expected), at: 0)
    } else {
      let fault = PlacedFault(place: Place(line: 1), cause: error)
      place = fault.place
      message = fault.message
    }
    return ScenarioFailure(
      story: number, variant: told, line: place.line, message: "\(place): \(message).",
      worlds: SideBySide.text(columns, firstDifference: first))
  }
}
