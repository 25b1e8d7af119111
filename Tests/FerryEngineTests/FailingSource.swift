// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Synchronization

/// A source that fails after two pages, as if the program had ended.
struct FailingSource: ObjectSource {
  let inner: ParseLocalDatastore
  /// The reader that fails: the second and the fourth go through the pages.
  let failing: Int
  let objectsPerPage: Int
  let made = Counter()

  final class Counter: Sendable {
    let value = Mutex(0)
  }

  final class Reader: ObjectReader {
    let inner: any ObjectReader
    let objectsPerPage: Int
    var pages: Int

    init(_ inner: any ObjectReader, objectsPerPage: Int, pages: Int) {
      (self.inner, self.objectsPerPage, self.pages) = (inner, objectsPerPage, pages)
    }

    func next(_ limit: Int) throws(ObjectSourceError) -> [KeptObject] {
      pages -= 1
      guard pages >= 0 else { throw ObjectSourceError(.notAccessible, "The program ends.") }
      return try inner.next(objectsPerPage)
    }

    func object(uuid: String) throws(ObjectSourceError) -> KeptObject? {
      try inner.object(uuid: uuid)
    }
  }

  var name: String { inner.name }
  func check() throws(ObjectSourceError) { try inner.check() }
  func makeReader() throws(ObjectSourceError) -> any ObjectReader {
    let number = made.value.withLock { value in
      value += 1
      return value
    }
    return Reader(
      try inner.makeReader(), objectsPerPage: objectsPerPage, pages: number == failing ? 2 : .max)
  }
}
