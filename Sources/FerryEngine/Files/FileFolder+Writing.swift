// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

extension FileFolder {
  /// Makes the folders that are missing; only their owner may look into them.
  func prepare() throws(FileError) {
    try checkForLinks()
    for folder in [url, contents, names, parts] {
      do {
        try files.makeFolder(folder)
      } catch {
        throw FileError(error, "make", folder)
      }
    }
  }

  /// Notes that a file was asked for.
  ///
  /// Whether it succeeds only decides how long the content stays.
  func touch(_ key: String, at time: Timestamp) { setTime(of: note(key), to: time) }

  /// Sets the time of the last change; it may fail.
  func setTime(of file: URL, to time: Timestamp) {
    let (seconds, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 1000)
    let moment = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest) * 1_000_000)
    _ = utimensat(AT_FDCWD, file.systemPath, [moment, moment], 0)
  }

  /// Makes a complete part the content of a file, durably; equal contents are kept once.
  func publish(_ part: URL, as note: FileNote, key: String, at time: Timestamp) throws(FileError) {
    let content = content(note.sha256)
    let wasThere = files.exists(content)
    // An equal content is replaced, too: something may have damaged it.
    guard rename(part.systemPath, content.systemPath) == 0 else {
      throw .disk("name", content.systemPath)
    }
    flush(contents)
    do {
      try files.write(JSONEncoder().encode(note), to: self.note(key))
    } catch {
      if !wasThere { unlink(content.systemPath) }
      guard let error = error as? SyncError else { throw .disk("write", names.systemPath, EIO) }
      throw FileError(error, "write", self.note(key))
    }
    touch(key, at: time)
    removePart(at: part)
  }

  /// Makes the names of a folder durable, as far as the system can.
  ///
  /// - Returns: Whether the disk did not fail at it.
  @discardableResult
  func flush(_ folder: URL) -> Bool {
    let descriptor = open(folder.systemPath, O_RDONLY | O_CLOEXEC)
    // An app may not have the right to read the folder in which its own one lies.
    guard descriptor >= 0 else { return errno == EACCES || errno == EPERM }
    defer { close(descriptor) }
    // Some file systems have no such request for folders.
    return fsync(descriptor) == 0 || errno == EINVAL
  }

  /// Writes how far a part has come; without the note, the next download begins anew.
  func write(_ note: PartialNote, key: String) {
    guard let bytes = try? JSONEncoder().encode(note) else { return }
    try? files.write(bytes, to: partNote(key))
  }

  /// How far a part has come.
  func partialNote(_ key: String) -> PartialNote? {
    guard let bytes = try? files.read(partNote(key)) else { return nil }
    return try? JSONDecoder().decode(PartialNote.self, from: bytes)
  }

  /// Removes a part and its note, as far as they are there.
  func removePart(at part: URL) {
    unlink(part.systemPath)
    unlink(part.systemPath + ".note")
    unlink(part.systemPath + ".note.part")
  }

  /// Removes files, by their keys: the notes first, so that none names a content that is not here.
  func remove(_ leaving: [String: KeptFile]) throws(FileError) {
    for key in leaving.keys { try remove(note(key)) }
    for sum in Set(leaving.values.map(\.sha256)) { try remove(content(sum)) }
  }

  /// Removes all but the kept files: what processes left that ended, and notes without a content.
  ///
  /// Another process may be at work on something that has changed lately. A name that Ferry does not give belongs to a
  /// person, and so does a folder.
  func removeStrays(
    besides kept: [String: KeptFile], before time: Timestamp
  ) throws(FileError) {
    let named = Set(kept.values.map(\.sha256))
    for entry in try entries(in: contents) where entry.isSHA256 && !named.contains(entry) {
      try removeStray(content(entry), before: time)
    }
    for entry in try entries(in: names) where entry.isNoteName && kept[entry] == nil {
      try removeStray(note(entry), before: time)
    }
  }

  /// Removes parts, and notes without a part; a part that a process writes stays, as its lock says.
  func removeParts(before time: Timestamp) throws(FileError) {
    for entry in try entries(in: parts) where entry.isPartName {
      let part = part(String(entry.partOfNote))
      if part == self.part(entry) {
        guard isStray(part, before: time), let lock = try LockedFile(at: part) else { continue }
        removePart(at: part)
        lock.unlock()
      } else if !files.exists(part) {
        try removeStray(self.part(entry), before: time)
      }
    }
  }

  private func removeStray(_ file: URL, before time: Timestamp) throws(FileError) {
    if isStray(file, before: time) { try remove(file) }
  }

  /// Whether the entry is a plain file that was last changed before a time.
  private func isStray(_ file: URL, before time: Timestamp) -> Bool {
    files.size(of: file) != nil && timeOfChange(file).map { $0 < time } ?? false
  }

  private func remove(_ file: URL) throws(FileError) {
    do {
      try files.remove(file)
    } catch {
      throw FileError(error, "remove", file)
    }
  }
}
