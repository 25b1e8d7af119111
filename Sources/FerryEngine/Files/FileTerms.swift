// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
import Foundation

/// The terms of downloads and of new files, from the options of a coordinator.
package struct FileTerms: Sendable {
  /// The most bytes of one file.
  package var largest: Int
  /// The most bytes of a file that the app gives to a field.
  package var largestUpload: Int
  /// The most bytes of all files; those that were used last stay.
  package var limit: Int
  /// How long a server may be silent.
  package var timeout: Duration
  /// How long the app may take to give a session token.
  package var sessionTimeout: Duration
  /// How often a download may fail without bytes that come between.
  package var retries = RetryPolicy()
  /// After how many bytes the note of a part is written.
  package var noteEvery = 4 << 20
  /// How long a file stays after its last use, whatever the limit is: the app may be about to open it.
  package var grace: Duration = .seconds(300)
  /// Writes bytes to the disk.
  package var write: FileWrite = { Foundation.write($0, $1.baseAddress, $1.count) }

  package init(_ options: SyncOptions) {
    largest = options.largestFile
    largestUpload = options.largestUpload
    limit = options.filesLimit
    timeout = options.timeout
    sessionTimeout = options.sessionTimeout
  }
}
