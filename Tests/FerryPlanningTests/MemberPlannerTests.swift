// Ferry: offline-first sync for Parse Server. MIT licence.

import Testing

@testable import FerryModel
@testable import FerryPlanning

/// Lists of members, and the steps that they lead to.
@Suite struct MemberPlannerTests {
  private static let membership = Membership(
    ownerClass: "Team", field: "players", memberClass: "Player")
  private static let pair = MemberPair(owner: "t", member: "p")

  private func row(_ id: Int64, _ member: String, isKnown: Bool = true) -> Record {
    let pair = MemberPair(owner: "t", member: member)
    return Record(
      className: "Team_players", localID: LocalID(rawValue: id),
      objectID: isKnown ? pair.objectID : "new\(id)", fields: Self.membership.fields(of: pair),
      createdAt: isKnown ? Timestamp(milliseconds: 0) : nil)
  }

  private func plan(
    listed: [String] = [], rows: [Record] = [], entries: [OutboxEntry] = [],
    formerlyHidden: Set<String> = [], _ proof: MemberPlanner.Proof = MemberPlanner.Proof()
  ) -> MemberPlanner.Plan {
    MemberPlanner(
      owner: "t", listed: listed, formerlyHidden: formerlyHidden, rows: rows,
      unsent: UnsentMembers(entries)
    ).plan(proof)
  }

  private func removal(_ row: Record) -> OutboxEntry {
    OutboxEntry(deleting: row, foldedThrough: HistoryToken(rawValue: 1))
  }

  private func addition(_ row: Record) -> OutboxEntry {
    OutboxEntry(creating: row, foldedThrough: HistoryToken(rawValue: 1))
  }

  @Test func `a listed pair gets one row`() {
    let pair = MemberPair(owner: "t", member: "q")
    #expect(plan(listed: ["p", "q"], rows: [row(1, "p")]).steps == [.insert(pair)])
    #expect(plan(listed: ["p"], rows: [row(1, "p"), row(2, "p")]).steps == [.remove(row(2, "p"))])
  }

  @Test func `a pair that the app took back is no new row`() {
    let planner = MemberPlanner(
      owner: "t", listed: ["p", "q"], formerlyHidden: [], rows: [], unsent: UnsentMembers([]),
      withdrawn: [Self.pair])
    #expect(
      planner.plan(.init()).steps == [
        .withdraw(Self.pair), .insert(MemberPair(owner: "t", member: "q")),
      ])
  }

  @Test func `a row goes only with the proof that its pair is gone`() {
    let (rows, gone) = ([row(1, "p")], MemberPlanner.Plan(steps: [.remove(row(1, "p"))]))
    #expect(plan(rows: rows, .init(absent: [Self.pair])) == gone)
    let unknown = plan(rows: rows)
    #expect(unknown.steps.isEmpty && !unknown.isComplete && unknown.hidden.isEmpty)
  }

  @Test func `a row goes with a member that is not here, and is remembered`() {
    let rows = [row(1, "p")]
    let left = plan(rows: rows, .init(hidden: [Self.pair]))
    #expect(left.steps == [.remove(row(1, "p"))] && left.hidden == ["p"] && left.isComplete)
    let kept = plan(rows: rows, .init(hidden: [Self.pair], kept: ["p"]))
    #expect(kept.steps.isEmpty && kept.hidden.isEmpty && !kept.isComplete)
    let returning = plan(rows: rows, .init(hidden: [Self.pair], returning: ["p"]))
    #expect(returning.steps.isEmpty && returning.hidden == ["p"] && returning.isComplete)
  }

  @Test func `a hidden member is remembered until the server shows it or its absence`() {
    #expect(plan(formerlyHidden: ["p"], .init(hidden: [Self.pair])).hidden == ["p"])
    #expect(plan(formerlyHidden: ["p"], .init(absent: [Self.pair])).hidden.isEmpty)
    let shown = plan(listed: ["p"], formerlyHidden: ["p"])
    #expect(shown.steps == [.insert(Self.pair)] && shown.hidden.isEmpty)
  }

  @Test func `an unsent removal stays until the pair is proven gone`() {
    let entry = removal(row(1, "p"))
    #expect(plan(listed: ["p"], entries: [entry]).steps.isEmpty)
    #expect(plan(entries: [entry]).steps.isEmpty)
    #expect(plan(entries: [entry], .init(absent: [Self.pair])).steps == [.settle(entry)])
    var tried = entry
    tried.begin(
      Attempt(
        kind: .delete, sent: Fields(), token: HistoryToken(rawValue: 1),
        startedAt: Timestamp(milliseconds: 0)))
    #expect(plan(entries: [tried], .init(absent: [Self.pair])).steps.isEmpty)
  }

  @Test func `a refused addition is sent again once its owner is there`() {
    let new = row(1, "p", isKnown: false)
    var entry = addition(new)
    entry.refuse(Refusal(reason: .refused, code: 101, message: "gone"))
    #expect(plan(rows: [new], entries: [entry]) == MemberPlanner.Plan())
    let back = MemberPlanner.Plan(steps: [.retry(entry)])
    #expect(plan(rows: [new], entries: [entry], .init(absent: [Self.pair])) == back)
    var other = addition(new)
    other.refuse(Refusal(reason: .refused, code: 142, message: "no"))
    #expect(plan(rows: [new], entries: [other], .init(absent: [Self.pair])).steps.isEmpty)
  }

  @Test func `an unsent addition takes the pair that the server has`() {
    let new = row(1, "p", isKnown: false)
    let entry = addition(new)
    #expect(
      plan(listed: ["p"], rows: [new], entries: [entry]).steps == [.adopt(entry, new, Self.pair)])
    #expect(plan(rows: [new], entries: [entry]).steps.isEmpty)
    // Beside the unsent removal of another row, or that row itself, the settlement decides.
    let both = [entry, removal(row(2, "p"))]
    #expect(plan(listed: ["p"], rows: [new], entries: both).steps.isEmpty)
    #expect(plan(listed: ["p"], rows: [new, row(2, "p")], entries: [entry]).steps.isEmpty)
  }
}
