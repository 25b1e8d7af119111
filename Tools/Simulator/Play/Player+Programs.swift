// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import SimulatedDisk

// Two programs on the store of one device.
extension Player {
  /// The other program of a device works from now on.
  func switchProgram(of number: Int) throws {
    let device = devices[number]
    let wasOlder = device.isOlder
    try device.switchProgram()
    tally.count("another program of a device goes on", isWithinSync: false)
    guard device.isOlder != wasOlder else { return }
    // A story has one program a device.
    tale.add(device.isOlder ? .reopenOlder(number) : .reopen(number))
  }

  /// A program that is not Ferry gives the rows of a device other local ids.
  func renumber(_ number: Int) {
    guard devices[number].disk == nil,
      Database(devices[number].database).transaction(world.classes.flatMap(\.renumbering))
    else { return }
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
      try checkIsRefused(device.sync(.all, .rolling), of: device)
    case .startOlder:
      tally.count("another program starts as an older one", isWithinSync: true)
      try device.reopen(asOlder: true)
      oracle.startedOlder(number)
    case .plan where isFree: break
    case .plan:
      tally.count("another program tries to plan", isWithinSync: true)
      try checkIsRefused(device.plan(.rolling), of: device)
    }
    try device.switchProgram()
  }
}
