// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct MembershipTests {
  private static let team = Entity("Team") { Field("players", .relation(to: "Player")) }
  private static let player = Entity("Player") { Field("name", .text) }
  private static let members = Entity(membersOf: "players", in: "Team", from: "Player")

  @Test func `the class of members follows from the relation`() throws {
    try Schema([Self.team, Self.player, Self.members]).validate()
    #expect(Self.members.name == "Team_players" && Self.members.table == "Team_players")
    #expect(
      Self.members.fields == [
        Field("owner", .pointer(to: "Team")), Field("member", .pointer(to: "Player")),
      ])
    #expect(!Self.members.isListed && !Self.members.isOnDemand)
  }

  static let faults: [(String, [Entity])] = [
    ("the class Team is not registered", [player, members]),
    ("the class Player is not registered", [team, members]),
    ("Team declares no field players", [Entity("Team") { Field("name", .text) }, player, members]),
    (
      "Team declares no field players",
      [Entity("Team") { Field("players", .relation(to: "Coach")) }, player, members]
    ),
    (
      "so does",
      [team, player, members, Entity(membersOf: "players", in: "Team", from: "Player", name: "B")]
    ),
    ("no other fields", [team, player, withField]),
    ("no access list of their own", [team, player, members.access(.creator())]),
  ]

  private static var withField: Entity {
    var entity = members
    entity.fields.append(Field("since", .date))
    return entity
  }

  @Test(arguments: faults)
  func `a class of members without its relation is refused`(
    _ words: String, _ entities: [Entity]
  ) {
    let error = #expect(throws: SchemaError.self) { try Schema(entities).validate() }
    let problems = error?.problems.filter { $0.code == .membership } ?? []
    #expect(!problems.isEmpty && problems.allSatisfy { $0.message.contains(words) })
  }

  @Test(arguments: [("t1", "p1"), ("a:b", "p:q"), ("%3A", "%"), ("", "p"), (":", ":")])
  func `a pair is read from its id, whatever ids an app chooses`(_ owner: String, _ member: String)
  {
    let pair = MemberPair(owner: owner, member: member)
    #expect(MemberPair(objectID: pair.objectID) == pair)
  }

  @Test func `two pairs have two ids`() {
    let ids = [("a", "b:c"), ("a:b", "c"), ("a%3Ab", "c")].map {
      MemberPair(owner: $0, member: $1).objectID
    }
    #expect(Set(ids).count == 3)
    #expect(MemberPair(objectID: "k7Xb2mQ9Lp") == nil)
  }
}
