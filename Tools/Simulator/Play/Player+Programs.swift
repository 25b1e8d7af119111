// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import FerryStore
import SimulatedDisk

// Two programs on the store of one device.
extension Player {
  /// The other program of a device works from now on.
  func switchProgram(of number: Int) throws {
    let device = devices[number]
    let former = device.declaration
    try device.switchProgram()
    tally.count("another program of a device goes on", isWithinSync: false)
    guard device.declaration != former else { return }
    // A story has one program a device.
    tale.add(device.hidesLater ? .reopenOlder(number) : .reopen(number))
  }

  /// A program starts that declares a field with another type.
  ///
  /// Documented: the store does not open if an unsent value does not fit the type. Then the former program goes on.
  func reopen(_ number: Int, declaring declaration: Declaration) throws {
    do {
      try devices[number].reopen(declaring: declaration)
    } catch let error as StoreError where error.code == .invalidSchema {
      return tally.count("a program cannot open values of another type", isWithinSync: false)
    }
    restartLoop(of: number)
    tale.add(.reopenRetyped(number, declaration))
    tally.count("a program declares a field with another type", isWithinSync: false)
    if declaration.hidesLater { oracle.startedOlder(number) }
  }

  /// A program that is not Ferry gives the rows of a device other local ids.
  func renumber(_ number: Int) {
    // The statements name the columns of the present program.
    guard devices[number].disk == nil, !world.settings.hasRetypedPrograms,
      Database(devices[number].database).transaction(world.classes.flatMap(\.renumbering))
    else { return }
    devices[number].history.touch()
    tale.add(.renumber(number))
    tally.count("a program gives rows other local ids", isWithinSync: false)
  }

  /// The other program of a device does something between two steps of a sync.
  func perform(_ aside: Aside, besideSyncOf number: Int) throws {
    let device = devices[number]
    let isFree = device.isKilled
    try device.switchProgram()
    switch aside {
    case .edit(let edit): try make(edit, by: .app(number))
    case .sync where isFree:
      tally.count("another program syncs after a kill", isWithinSync: true)
      try run(number, .all, .rolling, [])
    case .sync:
      tally.count("another program tries to sync", isWithinSync: true)
      try checkIsRefused(device.sync(.all, nil, .rolling), of: device)
    case .startOlder:
      tally.count("another program starts as an older one", isWithinSync: true)
      try device.reopen(declaring: .older)
      oracle.startedOlder(number)
    case .plan where isFree: break
    case .plan:
      tally.count("another program tries to plan", isWithinSync: true)
      try checkIsRefused(device.plan(.rolling), of: device)
    }
    try device.switchProgram()
  }
}
