// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import Foundation

/// Whose each store of a folder is, as the file `owners.json` has it.
///
/// Only an adoption changes the file. A user who adopted nothing has a folder of their own name.
struct StoreOwners: Codable, Equatable {
  /// The number of nobody's store.
  private var nobody = 1
  /// The numbers of the stores that belonged to nobody, by the escaped ids of the users who adopted them.
  private var adopted: [String: Int] = [:]

  /// The name of an owner's folder.
  func name(of userID: String?) -> String {
    guard let userID else { return "nobody-\(nobody)" }
    let id = Self.escaped(userID)
    return adopted[id].map { "nobody-\($0)" } ?? "user-\(id)"
  }

  mutating func giveNobodysStore(to userID: String) {
    adopted[Self.escaped(userID)] = nobody
    nobody += 1
  }

  /// A name that no file system takes for another one: capital letters are escaped, too.
  private static func escaped(_ id: String) -> String {
    id.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      let hex = String(byte, radix: 16)
      return isPlain ? String(UnicodeScalar(byte)) : byte < 16 ? "_0\(hex)" : "_\(hex)"
    }.joined()
  }
}

extension StoreOwners {
  private static func file(in folder: URL) -> URL { folder.appending(path: "owners.json") }

  /// The owners; those of a folder without the file have adopted nothing.
  static func read(in folder: URL) throws(SyncStoresError) -> StoreOwners {
    let file = file(in: folder)
    let path = file.path(percentEncoded: false)
    var status = stat()
    if lstat(path, &status) != 0, [ENOENT, ENOTDIR].contains(errno) { return StoreOwners() }
    do {
      return try JSONDecoder().decode(StoreOwners.self, from: Data(contentsOf: file))
    } catch {
      throw SyncStoresError(
        .folder,
        "The file \(path), which says whose each store is, cannot be read. All stores stay as they are. Put a backup of "
          + "the file in its place.", cause: error)
    }
  }

  /// Changes the owners, while no other process does.
  static func change<Result>(
    in folder: URL, _ body: (inout StoreOwners) throws(SyncStoresError) -> Result
  ) throws(SyncStoresError) -> Result {
    let path = file(in: folder).path(percentEncoded: false)
    do {
      return try PrivateFile.locked(path) {
        let earlier = try read(in: folder)
        var owners = earlier
        let result = try body(&owners)
        guard owners != earlier else { return result }
        try PrivateFile.write(JSONEncoder().encode(owners), to: path)
        return result
      }
    } catch let error as SyncStoresError {
      throw error
    } catch {
      throw SyncStoresError(
        .folder,
        "The file \(path), which says whose each store is, could not be written: \(error). All stores stay as they are.",
        cause: error)
    }
  }
}
