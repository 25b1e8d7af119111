// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
import Synchronization

/// The disk of a device: SQLite's files through a VFS, and the files of the staging area beside them.
///
/// The files are in a folder in memory. Beside them the disk knows which bytes and names are durable, and all
/// changes since. At each operation it goes on, refuses it, or loses the power. After that, it refuses each change, so
/// that the rest of the run in this process changes nothing. `afterPowerLoss(in:)` is the disk with what is left.
///
/// ```swift
/// let disk = try SimulatedDisk(folder: folder)
/// disk.plan([.losesPower(afterChanges: 12, .losesAll)])
/// ```
package final class SimulatedDisk: @unchecked Sendable {
  // Unchecked: one thread carries a world out, and its disks are used only there.

  /// The folder of the files, without symbolic links.
  package let folder: URL
  /// Called when the power goes.
  package var lostPower: [() -> Void] = []
  /// The process at work, one of those that `beginProcess` named.
  package var process = 0
  private var ended: Set<Int> = []
  private var processCount = 0
  /// Whether the power is gone.
  package private(set) var isOff = false
  /// Whether an operation was refused, or the power went, since the disk was mended.
  package private(set) var hasFailed = false
  /// The operations since failures were planned, also those of the disks before.
  package private(set) var operations: [DiskOperation] = []
  private var isRecording = false
  private var image: DiskImage
  private var remains: [String: [UInt8]] = [:]
  private var due: ArraySlice<DiskFailure> = []
  /// The operations and changes since the last failure.
  private var counts = (operations: 0, changes: 0)
  /// The error of all operations to come; nil while the disk works.
  private var lasting: DiskError?

  /// A new disk in a folder, which is created.
  package convenience init(folder: URL) throws { try self.init(folder: folder, files: [:]) }

  private init(folder: URL, files: [String: [UInt8]]) throws {
    for (name, bytes) in files {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Data(bytes).write(to: file)
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder.resolvingSymlinksInPath()
    image = DiskImage(files)
    SimulatedVFS.mount(self)
  }

  deinit { SimulatedVFS.unmount(folder) }

  /// The disk with what a loss of power, or the end of the process, has left, in another folder.
  package func afterPowerLoss(in folder: URL) throws -> SimulatedDisk {
    let next = try SimulatedDisk(folder: folder, files: remains)
    next.due = due
    next.operations = operations
    next.isRecording = isRecording
    return next
  }

  // MARK: Failures

  /// Counts operations from now on, and lets the disk fail as planned.
  package func plan(_ failures: [DiskFailure]) {
    due = failures[...]
    counts = (0, 0)
    operations = []
    isRecording = true
  }

  /// Lets the disk work again.
  package func mend() {
    lasting = nil
    hasFailed = false
  }

  /// Does something that counts as no operation, and to which nothing happens.
  package func withoutFailures<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let plan = (due, lasting, counts, operations, isRecording)
    (due, lasting, isRecording) = ([], nil, false)
    defer { (due, lasting, counts, operations, isRecording) = plan }
    return try body()
  }

  /// Nothing more goes wrong from now on.
  package func forgetPlan() {
    due = []
    isRecording = false
    mend()
  }

  // MARK: Processes

  /// Begins a process, which is the one at work.
  package func beginProcess() -> Int {
    processCount += 1
    process = processCount
    return process
  }

  /// Ends a process, which changes nothing any more; others go on.
  package func end(_ process: Int) { ended.insert(process) }

  /// Does something as a process.
  func working<Result>(as process: Int, _ body: () -> Result) -> Result {
    let other = self.process
    self.process = process
    defer { self.process = other }
    return body()
  }

  /// Switches the device off, as where its only process is killed: the system still writes what it has.
  package func turnOff() { turnOff(.keepsAll) }

  private func turnOff(_ loss: PowerLoss) {
    guard !isOff else { return }
    remains = image.remains(loss)
    isOff = true
    hasFailed = true
  }

  // MARK: Operations

  /// The name of a file on this disk; nil for one that is elsewhere.
  package func name(of path: String) -> String? {
    let prefix = folder.path(percentEncoded: false)
    let start = prefix.hasSuffix("/") ? prefix : prefix + "/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
  }

  func has(_ name: String) -> Bool { image.has(name) }

  func adopt(_ name: String) {
    let bytes = FileManager.default.contents(atPath: folder.appending(path: name).path) ?? Data()
    image.adopt(name, Array(bytes))
  }

  /// Counts an operation that reads or locks; returns its error.
  func pass(_ operation: DiskOperation) -> Refusal? { perform(operation) { _ in } }

  package func create(_ name: String) -> Refusal? { perform(.create) { $0.create(name) } }

  package func truncate(_ name: String, to size: Int) -> Refusal? {
    perform(.truncate) { $0.truncate(name, to: size) }
  }

  package func rename(_ name: String, to other: String) -> Refusal? {
    perform(.rename) { $0.rename(name, to: other) }
  }

  package func remove(_ name: String) -> Refusal? { perform(.remove) { $0.remove(name) } }

  /// Notes a write.
  ///
  /// After a short one the caller writes the first half.
  package func write(_ bytes: [UInt8], at offset: Int, of name: String) -> Refusal? {
    let refusal = perform(.write) { $0.write(bytes, at: offset, of: name) }
    if refusal == .error(.shortWrite) {
      image.write(Array(bytes[..<(bytes.count / 2)]), at: offset, of: name)
    }
    return refusal
  }

  func sync(_ name: String, withFolder: Bool) -> Refusal? {
    perform(.sync) { $0.sync(name, withFolder: withFolder) }
  }

  /// Why an operation is not carried out.
  package enum Refusal: Equatable, Sendable {
    case off
    case error(DiskError)
  }

  private func perform(
    _ operation: DiskOperation, _ change: (inout DiskImage) -> Void
  ) -> Refusal? {
    guard !isOff, !ended.contains(process) else { return operation.isChange ? .off : nil }
    if isRecording { operations.append(operation) }
    let refusal = refusal(of: operation)
    counts.operations += 1
    if operation.isChange { counts.changes += 1 }
    switch refusal {
    case nil: change(&image)
    case .error: hasFailed = true
    case .off:
      // The change is under way when the power goes; a sync has not begun.
      if operation != .sync { change(&image) }
      guard case .losesPower(_, let loss)? = due.popFirst() else { break }
      turnOff(loss)
      for program in lostPower { program() }
    }
    return refusal
  }

  private func refusal(of operation: DiskOperation) -> Refusal? {
    if let lasting { return operation.errors.contains(lasting) ? .error(lasting) : nil }
    switch due.first {
    case .losesPower(let changes, _)? where operation.isChange && counts.changes >= changes:
      return .off
    case .refuses(let operations, let error, let isForGood)? where counts.operations >= operations:
      guard operation.errors.contains(error) else { return nil }
      due.removeFirst()
      counts = (-1, operation.isChange ? -1 : 0)
      if isForGood { lasting = error }
      return .error(error)
    default: return nil
    }
  }
}
