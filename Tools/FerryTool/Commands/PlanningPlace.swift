// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Where a plan finds a store: a plan before the first sync uses one that goes with it, so that
/// looking leaves nothing behind.
struct PlanningPlace {
  let workspace: Workspace
  private let isTemporary: Bool

  init(_ workspace: Workspace) throws(Failure) {
    isTemporary = !workspace.hasStore
    guard isTemporary else {
      self.workspace = workspace
      return
    }
    let name = "ferry-plan-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(path: name)
    self.workspace = Workspace(flag: folder.filePath, environment: [:])
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .cannotCreate, "cannot-create",
        "ferry cannot make the temporary folder \(folder.filePath): "
          + "\(Failure.reason(of: error)). Nothing was done. Name another folder with TMPDIR.")
    }
  }

  func leave() {
    if isTemporary { try? FileManager.default.removeItem(at: workspace.folder) }
  }
}
