// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

/// The folder of the files whose contents are on this device: what is where in it.
///
/// `contents` has each content once, named by its SHA-256. `names` has a note for each file of the server, which names its
/// content. `parts` has what is on its way. All of this can be had again, so nothing else depends on it, and a lost note
/// costs a download. Notes are named by a sum, because a server's name may be that of a path. `unsent` has the contents that
/// no server has yet.
struct FileFolder: Sendable {
  let url: URL
  let files = StagingFiles()

  var contents: URL { url.appending(path: "contents", directoryHint: .isDirectory) }
  var names: URL { url.appending(path: "names", directoryHint: .isDirectory) }
  var parts: URL { url.appending(path: "parts", directoryHint: .isDirectory) }

  var unsent: URL { url.appending(path: "unsent", directoryHint: .isDirectory) }

  func content(_ sha256: String) -> URL { contents.appending(path: sha256) }
  func note(_ key: String) -> URL { names.appending(path: key) }
  func part(_ key: String) -> URL { parts.appending(path: key) }
  func partNote(_ key: String) -> URL { parts.appending(path: key + ".note") }

  /// The name of a file's note: two servers may give two files one name.
  ///
  /// A file of another address has the address in it, without the query: a storage service signs it anew for each sync.
  static func key(of file: File, on server: ParseServer) -> String {
    let key = SHA256.text(of: "\(server.identity)\n\(file.name)")
    guard let text = file.url, FileAddress(of: file, on: server)?.isOwn != true else { return key }
    return SHA256.text(of: "\(key)\n\(text.prefix { $0 != "?" && $0 != "#" })")
  }

  /// The kept file of a note; nil if its content is not here, or has another size.
  func kept(_ key: String) -> KeptFile? {
    guard files.size(of: note(key)) != nil, let bytes = try? files.read(note(key)),
      let note = try? JSONDecoder().decode(FileNote.self, from: bytes),
      note.sha256.isSHA256, files.size(of: content(note.sha256)) == note.bytes
    else { return nil }
    return KeptFile(
      name: note.name, url: content(note.sha256), bytes: note.bytes, sha256: note.sha256,
      lastUse: timeOfChange(self.note(key)) ?? .earliest)
  }

  /// All kept files by their keys.
  func all() throws(FileError) -> [String: KeptFile] {
    try checkForLinks()
    var all: [String: KeptFile] = [:]
    for key in try entries(in: names) where key.isSHA256 { all[key] = kept(key) }
    return all
  }

  /// Refuses links to other folders: the files there may be a person's own.
  func checkForLinks() throws(FileError) {
    for folder in [url, contents, names, parts, unsent] {
      var status = stat()
      let path = folder.systemPath
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { continue }
      throw FileError(
        .localStorage,
        "\(path) is a symbolic link, and Ferry keeps files in a folder of its own only. No file was fetched, and none was "
          + "removed. Remove the link or make it a folder, and ask again.")
    }
  }

  func entries(in folder: URL) throws(FileError) -> [String] {
    do {
      return try files.names(in: folder)
    } catch {
      throw FileError(error, "read", folder)
    }
  }

  /// When a file was last changed; nil if it is not there.
  func timeOfChange(_ file: URL) -> Timestamp? {
    var status = stat()
    guard lstat(file.systemPath, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
