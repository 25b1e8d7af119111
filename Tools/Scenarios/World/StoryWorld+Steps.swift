// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryParse
import FerryStore
import Foundation

// The steps of the actors, one at a time.
extension StoryWorld {
  func perform(_ step: Step, by actor: Actor) throws {
    switch actor {
    case .device(let name): try perform(step, on: device(name))
    case .client:
      switch step {
      case .insert(let rows): try client.insert(rows)
      case .set(let rows, let fields): for row in rows { try client.set(row, fields) }
      case .relate(let relating): try client.relate(relating)
      case .share(let rows, let sharing): for row in rows { try client.share(row, sharing) }
      case .delete(let rows): for row in rows { try client.delete(row) }
      case .setUnstamped(let row, let fields): try client.setUnstamped(row, fields)
      default: break
      }
    case .network: if case .deliver = step { try deliver() }
    case .server: if case .rule(let rule) = step { try client.set(rule) }
    }
  }

  private func perform(_ step: Step, on device: StoryDevice) throws {
    switch step {
    case .insert(let rows): try device.insert(rows)
    case .set(let rows, let fields): for row in rows { try device.set(row, fields) }
    case .relate(let relating): try device.relate(relating)
    case .share(let rows, let sharing):
      for row in rows { try device.share(row, sharing) { try client.userID($0) } }
    case .delete(let rows): for row in rows { try device.delete(row) }
    case .sync(let scope, let killedWhen, let claims):
      try device.sync(scope, isToBeKilled: killedWhen != nil, claims)
    case .run(let run): try device.run(run)
    case .plan(let scope, let claims): try device.plan(scope, claims)
    case .reopen(let change): try device.reopen(change)
    case .switchProgram: try device.switchProgram()
    case .backUp: try device.backUp()
    case .goBack(let name): try device.goBack(toBackupOf: self.device(name ?? device.name))
    case .setClock(let distance): device.clock.set(ahead: distance)
    case .sql(let statement, let refusal): try device.execute(statement, refusal)
    case .damage(let page, let className): try device.damage(page: page, of: className)
    case .confirmRemovals: device.confirmRemovals()
    case .login(let user): device.session.set(.token(Secret(try client.logIn(user))))
    case .loginAtOnce(let users): try device.logInAtOnce(users)
    case .logout: device.session.set(.nobody)
    case .token(let fault): device.session.set(.fault(fault))
    case .fetch(let query, let code): try device.fetch(query, stops: code)
    case .evict(let rows): try device.evict(rows)
    case .restore(let row): try device.restore(row)
    case .discard(let rows): for row in rows { try device.discard(row) }
    case .retry(let rows): for row in rows { try device.retry(row) }
    case .decide(let rows, let counted): for row in rows { try device.decide(row, counted) }
    case .retryQuarantined(let rows): for row in rows { try device.retryQuarantined(row) }
    case .watch(let query): try device.watch(query)
    case .sees(let rows): try device.see(rows)
    case .lookAway: try device.lookAway()
    case .throwAtCommit: try device.throwAtCommit()
    case .readSQL(let sql): try device.read(sql: sql)
    case .writeSQL(let sql): try device.write(sql: sql)
    case .readHistory(let reading, let reader): try device.readHistory(reading, by: reader)
    case .refused(let step, let code):
      try device.expectRefusal(code) { try perform(step, on: device) }
    case .undo: try device.undo()
    case .redo: try device.redo()
    case .fault, .deliver, .rule, .setUnstamped: break
    }
    try device.learnRows()
    if step.isRun { try device.learnIDs() }
    // So that the list looks after each step by itself.
    try device.list?.settle()
    try device.throwingListener?.settle()
  }

  // MARK: Ticks

  /// Everything that one line of the story says.
  func perform(_ tick: Tick) throws {
    clock.pass(tick.pause > .zero ? tick.pause : .seconds(1))
    for cell in tick.cells { prepare(cell) }
    // Other steps happen before the syncs, whose columns may stand further left.
    for cell in tick.cells { try perform(cell.unbound.prefix { !$0.isRun }, cell) }
    for cell in tick.cells { try perform(cell.unbound.drop { !$0.isRun }, cell) }
    try endTick()
  }

  private func prepare(_ cell: Cell) {
    schedule { schedule in
      for act in cell.acts {
        if let moment = act.moment {
          schedule.add(.act(cell.actor, act.step), at: moment, cell.place)
        } else if case .fault(let pattern, let fate) = act.step {
          schedule.add(fate, of: pattern, cell.place)
        } else if case .sync(_, let moment?, _) = act.step {
          schedule.add(.kill(device: cell.actor.title), at: moment, cell.place)
        }
      }
    }
  }

  private func perform(_ steps: some Sequence<Step>, _ cell: Cell) throws {
    for step in steps {
      do {
        try perform(step, by: cell.actor)
      } catch {
        throw PlacedFault(place: cell.place, cause: error)
      }
    }
  }
}

extension Cell {
  fileprivate var unbound: [Step] { acts.filter { $0.moment == nil }.map(\.step) }
}

extension Step {
  /// Whether it is a run of the engine, in which moments come.
  fileprivate var isRun: Bool {
    switch self {
    case .sync, .run, .plan, .fetch: true
    default: false
    }
  }
}
