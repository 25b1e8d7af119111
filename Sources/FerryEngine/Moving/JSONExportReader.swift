// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation

/// Goes through the objects of JSON files, a part of a file at a time.
final class JSONExportReader: ObjectReader {
  private var files: ArraySlice<URL>
  private var open: (url: URL, file: FileHandle, splitter: ObjectSplitter)?
  private var ready: ArraySlice<KeptObject> = []

  init(_ files: [URL]) { self.files = files[...] }

  private static let bytesPerRead = 256 << 10

  func next(_ limit: Int) throws(ObjectSourceError) -> [KeptObject] {
    while ready.isEmpty {
      guard try readOn() else { return [] }
    }
    let objects = ready.prefix(limit)
    ready = ready.dropFirst(objects.count)
    return Array(objects)
  }

  /// Reads the next part of the files; false at their end.
  private func readOn() throws(ObjectSourceError) -> Bool {
    if open == nil { open = try openNext() }
    guard var part = open else { return false }
    let bytes: Data
    do {
      bytes = try part.file.read(upToCount: Self.bytesPerRead) ?? Data()
    } catch {
      throw inaccessible(part.url, error)
    }
    do throws(ObjectSplitter.Failure) {
      if bytes.isEmpty {
        try part.splitter.finish()
        open = nil
      } else {
        let objects = try part.splitter.take(bytes)
        open = part
        let name = part.url.deletingPathExtension().lastPathComponent
        ready =
          objects.map { object in
            let list = object.list == "results" ? nil : object.list
            return KeptObject(className: list ?? name, json: object.text)
          }[...]
      }
    } catch {
      throw explained(error, part.url)
    }
    return true
  }

  private func openNext() throws(ObjectSourceError) -> (
    url: URL, file: FileHandle, splitter: ObjectSplitter
  )? {
    guard let url = files.popFirst() else { return nil }
    do {
      return (url, try FileHandle(forReadingFrom: url), ObjectSplitter())
    } catch {
      throw inaccessible(url, error)
    }
  }

  private func inaccessible(_ url: URL, _ error: any Error) -> ObjectSourceError {
    ObjectSourceError(
      .notAccessible,
      "\(url.path(percentEncoded: false)) cannot be read. Check the path and the permissions; the file was not changed.",
      cause: error)
  }

  private func explained(_ failure: ObjectSplitter.Failure, _ url: URL) -> ObjectSourceError {
    let path = url.path(percentEncoded: false)
    switch failure {
    case .damaged(let reason):
      return ObjectSourceError(
        .damaged, "\(path) \(reason). The file was not changed. Export the class again.",
        cause: failure)
    case .otherKind(let reason):
      return ObjectSourceError(
        .otherKind,
        "\(path) is no export of Parse: it \(reason). The file was not changed. Name files such as Game.json with "
          + "{\"results\":[…]}.", cause: failure)
    }
  }
}
