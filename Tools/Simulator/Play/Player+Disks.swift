// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore
import SimulatedDisk

// Disks that fail and lose their power.
extension Player {
  /// Carries an edit of an app out; true if it is in the store in the end.
  ///
  /// An edit that the store has confirmed must survive a loss of power. An edit that failed with the power may be
  /// there or not; one that failed otherwise must not be.
  func carryOut(
    _ edit: Edit, over previous: [String: Content], on device: Device
  ) throws -> Bool {
    guard !device.isKilled else { return false }
    var isMade = false
    var failure: StoreError?
    do {
      isMade = try device.make(edit)
    } catch let error as StoreError where device.disk?.hasFailed == true {
      failure = error
    }
    guard let disk = device.disk, disk.hasFailed else { return isMade }
    let isOff = disk.isOff
    try recover(device)
    let isThere = try device.shows(edit)
    if isMade, !isThere {
      throw Violation(
        .lostWrite, "\(device.letter) had confirmed \(edit.text), and it is gone after a failure")
    }
    if let failure, isThere, !isOff, edit.fields.contains(where: { previous[$0] != nil }) {
      guard try !device.shows(.set(edit.row, previous)) else { return false }
      throw Violation(
        .phantom, "\(edit.text) failed on \(device.letter) with \(failure.code), and it is there")
    }
    return isThere
  }

  /// The disk works again, and the device with it.
  func recover(_ device: Device) throws {
    guard let disk = device.disk else { return }
    countFailureOfDisk(disk.isOff)
    if disk.isOff { try device.revive() }
    device.disk?.mend()
    try check(device)
  }

  func endFailuresOfDisks() throws {
    diskOperations = devices.map { $0.disk?.operations ?? [] }
    for device in devices { device.disk?.forgetPlan() }
  }

  func checkDatabases() throws { for device in devices { try check(device) } }

  private func check(_ device: Device) throws {
    guard let disk = device.disk else { return }
    // The look of another program at the file is no operation of the device.
    let result = disk.withoutFailures { Database(device.database).integrity() }
    guard result == "ok" else {
      throw Violation(.damagedFile, "the database of \(device.letter) is damaged: \(result)")
    }
  }
}

extension Device {
  /// Whether the store is as an edit leaves it.
  func shows(_ edit: Edit) throws -> Bool {
    let values = try values(of: edit.row)
    switch edit {
    case .insert: return !values.isEmpty
    case .set(_, let fields): return fields.allSatisfy { (values[$0.key] ?? .empty) == $0.value }
    case .delete: return values.isEmpty
    case .allow: return false
    }
  }
}
