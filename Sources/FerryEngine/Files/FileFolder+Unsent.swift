// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

extension FileFolder {
  func unsentContent(_ sha256: String) -> URL { unsent.appending(path: sha256) }

  /// The content of a file that the app gave to a field: one that waits, or one that was sent and is still here.
  func kept(_ file: UnsentFile) -> KeptFile? {
    [unsentContent(file.sha256), content(file.sha256)]
      .first { files.size(of: $0) == file.bytes }
      .map { url in
        KeptFile(
          name: file.name, url: url, bytes: file.bytes, sha256: file.sha256,
          lastUse: timeOfChange(url) ?? .earliest)
      }
  }

  /// The contents in `unsent` that were kept before a time; none if the folder cannot be read.
  func unsentContents(before time: Timestamp) -> Set<String> {
    let sums = (try? entries(in: unsent)) ?? []
    return Set(
      sums.filter { sum in
        sum.isSHA256 && timeOfChange(unsentContent(sum)).map { $0 < time } ?? false
      })
  }

  /// Notes that a content was needed at a time; without the note, it is looked for again earlier.
  func renewUnsent(_ sha256: String, at time: Timestamp) {
    setTime(of: unsentContent(sha256), to: time)
  }

  /// Removes a content, unless the app has kept an equal one since a time.
  func removeUnsent(_ sha256: String, keptBefore time: Timestamp) {
    let url = unsentContent(sha256)
    guard let kept = timeOfChange(url), kept < time else { return }
    unlink(url.systemPath)
  }

  /// Makes the content of a new file that of a file of the server, beside the new one.
  ///
  /// It takes no room: both are names of one file of the disk. If it fails, the content can be fetched.
  func keep(_ new: UnsentFile, as file: File, on server: ParseServer, at time: Timestamp) {
    let source = unsentContent(new.sha256)
    let target = content(new.sha256)
    if !files.exists(target), (try? files.link(source, to: target)) == nil { return }
    let key = Self.key(of: file, on: server)
    let note = FileNote(name: file.name, sha256: new.sha256, bytes: new.bytes)
    guard let text = try? JSONEncoder().encode(note) else { return }
    try? files.write(text, to: self.note(key))
    touch(key, at: time)
  }

  /// Keeps a content until a sync has sent it; it is on the disk for good when this returns.
  ///
  /// - Parameters:
  ///   - name: The name that the app gives it; it is mended as `FileName.mended(_:)` says.
  ///   - type: The media type; nil for that of the name's ending.
  ///   - limit: The most bytes.
  ///   - write: Writes bytes to the disk.
  ///   - fill: Gives the bytes.
  /// - Returns: The file, which `File.init(_:)` makes a value of.
  /// - Throws: `FileError`; nothing is kept then.
  func keep(
    name: String, type: String?, limit: Int, writing write: @escaping FileWrite,
    _ fill: (inout PartFile) throws(FileError) -> Void
  ) throws(FileError) -> UnsentFile {
    let name = FileName.mended(name)
    let type = type ?? MediaType.ofFile(named: name)
    guard MediaType.isWellFormed(type) else { throw .unusableType(type) }
    let isFirst = !files.exists(unsent)
    try prepare()
    do {
      try files.makeFolder(unsent)
    } catch {
      throw FileError(error, "make", unsent)
    }
    var part = try PartFile(SHA256.text(of: UUID().uuidString), in: self, writing: write)
    let partURL = part.url
    do throws(FileError) {
      try fill(&part)
      guard part.count <= limit else { throw .tooLargeToSend(name, limit) }
      try part.flush()
      let sum = part.sum.text
      guard let file = UnsentFile(sha256: sum, bytes: part.count, type: type, name: name) else {
        throw .empty(name)
      }
      // An equal content is replaced, too: something may have damaged it.
      guard rename(partURL.systemPath, unsentContent(sum).systemPath) == 0 else {
        throw .disk("name", unsentContent(sum).systemPath)
      }
      // A row may name the content as soon as this returns, so the names of new folders are durable, too.
      let folders = isFirst ? [unsent, url, url.deletingLastPathComponent()] : [unsent]
      guard folders.allSatisfy({ flush($0) }) else { throw .disk("write", unsent.systemPath) }
      part.release()
      return file
    } catch {
      removePart(at: partURL)
      throw error
    }
  }
}

extension PartFile {
  /// Adds all bytes of a value in memory.
  mutating func add(_ data: Data) throws(FileError) {
    var result = Result<Void, FileError>.success(())
    data.withUnsafeBytes { bytes in
      result = Result { () throws(FileError) in try add(bytes) }
    }
    try result.get()
  }

  /// Adds all bytes of a file, up to a limit, behind which it is too large anyway.
  mutating func add(contentsOf source: URL, limit: Int) throws(FileError) {
    let path = source.systemPath
    // A pipe would keep the thread waiting, and some devices have no end.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .noPlainFile(path, isFolder: status.st_mode & S_IFMT == S_IFDIR)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while count <= limit {
      let read = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw .unreadable(path) }
      guard read > 0 else { return }
      try add(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
    }
  }
}

extension FileError {
  static func unusableType(_ type: String) -> FileError {
    FileError(
      .unusableType,
      "\(type.debugDescription) is no media type, such as image/jpeg. Nothing was kept. Give a type and a subtype, or none, "
        + "and Ferry takes that of the name's ending.")
  }

  /// The content of a value is not here, and no server has it.
  static func lost(_ file: File) -> FileError {
    guard let name = file.unsent?.name else {
      return FileError(
        .notFound,
        "The field holds the file name \(file.shownName.debugDescription), which begins like that of a new file, and is not "
          + "of its form: unsent:SHA-256:BYTES:TYPE:NAME. Nothing was fetched. Give the field a file again, or clear it."
      )
    }
    return FileError(
      .notFound,
      "The content of the new file \(name) is not on this device, and no server has it. Something may have removed it from the "
        + "folder of the files. Give the field a file again.")
  }

  static func noPlainFile(_ path: String, isFolder: Bool) -> FileError {
    FileError(
      .localStorage,
      "\(path) is \(isFolder ? "a folder" : "a device or a pipe"), and no plain file. Nothing was kept. Give the path of a file."
    )
  }

  /// The file that the app names cannot be read.
  static func unreadable(_ path: String, _ number: Int32 = errno) -> FileError {
    FileError(
      .localStorage,
      "\(path) cannot be read: \(String(cString: strerror(number))). Nothing was kept. Give the path of a file that you may "
        + "read.", cause: POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO))
  }

  static func empty(_ name: String) -> FileError {
    FileError(
      .empty,
      "The file \(name) has no byte, and Parse Server takes no such file. Nothing was kept. Clear the field instead."
    )
  }

  static func tooLargeToSend(_ name: String, _ limit: Int) -> FileError {
    FileError(
      .tooLarge,
      "The file \(name) has more than the \(limit) bytes that a sync sends. Nothing was kept. If the server takes "
        + "larger files, set SyncOptions.largestUpload.")
  }
}
