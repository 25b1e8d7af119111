// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

// The functions that libFuzzer calls. Its library has the main function.

/// The target of this process, which `FERRY_FUZZ_TARGET` names.
private let chosen = ProcessInfo.processInfo.environment["FERRY_FUZZ_TARGET"]
  .flatMap(FuzzTarget.init)

/// Refuses to begin without a target.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzingBegins(_ count: UnsafeRawPointer?, _ arguments: UnsafeRawPointer?) -> CInt {
  if chosen == nil {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    say("FERRY_FUZZ_TARGET has to name a target: \(names)")
    exit(64)
  }
  return 0
}

/// Gives an input to the target; ends the process where a law is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try chosen?.check(Data(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    say("The input breaks a law. \(error)")
    abort()
  }
  return 0
}

private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
