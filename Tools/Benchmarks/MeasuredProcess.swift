// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The cost of a process from its start to its end, as the system counts it.
struct MeasuredProcess {
  let wallSeconds: Double
  /// The time of all its threads, in the program and in the system.
  let processorSeconds: Double

  /// Runs a program to its end.
  init(_ program: URL, _ arguments: [String]) throws {
    let path = program.path(percentEncoded: false)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    // The disk gets all that copying left behind before the program runs.
    sync()
    let start = ContinuousClock.now
    var process = pid_t()
    guard posix_spawn(&process, path, nil, nil, &words, environ) == 0 else {
      throw Failure(program: path, sentence: "cannot be started; build it in the same way")
    }
    var (status, usage) = (Int32(), rusage())
    while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
    let duration = ContinuousClock.now - start
    guard status == 0 else { throw Failure(program: path, sentence: "ended with status \(status)") }
    wallSeconds = duration / .seconds(1)
    processorSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }

  private struct Failure: Error, CustomStringConvertible {
    var program: String
    var sentence: String
    var description: String { "\(program) \(sentence)." }
  }
}
