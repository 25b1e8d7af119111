// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation
import Synchronization

/// Brings the body of an answer to the disk, and judges it on the way.
final class FileReceiver: HTTPBodyReceiver {
  /// How a body ended, as far as the receiver knows.
  enum Ending {
    /// No body was taken.
    case none
    /// The bytes have come, all that were announced.
    case complete(sha256: String, bytes: Int)
    /// Bytes are missing; the next request can go on behind those that are kept.
    case short(kept: Int)
    case restart
    case refused(FileError)
  }

  private struct State {
    var part: PartFile
    var total: Int?
    var tag: String?
    var hasBegun = false
    var mustRestart = false
    var fault: FileError?
    /// The bytes that the note describes.
    var noted = 0
  }

  private let question: FileQuestion
  private let key: String
  private let folder: FileFolder
  private let terms: FileTerms
  private let progress: @Sendable (FileProgress) -> Void
  private let state: Mutex<State>

  init(
    _ question: FileQuestion, into part: PartFile, key: String, folder: FileFolder,
    terms: FileTerms, progress: @escaping @Sendable (FileProgress) -> Void
  ) {
    self.question = question
    self.key = key
    self.folder = folder
    self.terms = terms
    self.progress = progress
    state = Mutex(State(part: part, total: question.total, tag: question.tag))
  }

  func takesBody(status: Int, headers: HTTPHeaders) -> Bool {
    guard status == 200 || status == 206 else { return false }
    state.withLock { state in
      state.hasBegun = true
      do throws(FileError) {
        try begin(&state, FileAnswer(status: status, headers: headers, to: question))
      } catch {
        state.fault = error
      }
    }
    return true
  }

  private func begin(_ state: inout State, _ answer: FileAnswer) throws(FileError) {
    switch answer {
    case .whole(let total, let tag):
      try state.part.restart()
      (state.total, state.tag, state.noted) = (total, tag, 0)
    case .rest(let total, let tag):
      // A repeated request begins where the first one did.
      guard state.part.count == question.from else { return state.mustRestart = true }
      (state.total, state.tag, state.noted) = (total, tag, question.from)
    case .restart: state.mustRestart = true
    case .refused(let error): throw error
    }
    guard state.total ?? 0 <= terms.largest else { throw .tooLarge(question, terms.largest) }
    progress(FileProgress(done: state.part.count, total: state.total))
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      guard state.fault == nil, !state.mustRestart else { return false }
      do throws(FileError) {
        let count = state.part.count + bytes.count
        guard count <= state.total ?? .max else {
          throw .notTheFile(question, "sent more bytes than it had announced")
        }
        guard count <= terms.largest else { throw .tooLarge(question, terms.largest) }
        try state.part.add(bytes)
      } catch {
        state.fault = error
        return false
      }
      if state.part.count - state.noted >= terms.noteEvery { note(&state) }
      progress(FileProgress(done: state.part.count, total: state.total))
      return true
    }
  }

  /// Writes how far the part has come.
  private func note(_ state: inout State) {
    let part = state.part
    guard part.canResume, part.count > 0 else { return }
    state.noted = part.count
    folder.write(
      PartialNote(
        bytes: part.count, sha256: part.sum.text, total: state.total, tag: state.tag),
      key: key)
  }

  /// Lets others go on with the part; a transport may still hold this receiver.
  func release() { state.withLock { $0.part.release() } }

  /// Whether a body was taken.
  var hasBegun: Bool { state.withLock(\.hasBegun) }

  /// How the body ended; what has come of it can be continued afterwards.
  ///
  /// - Parameter isWhole: Whether the answer came to its end.
  /// - Returns: The ending.
  func end(isWhole: Bool) -> Ending {
    state.withLock { state in
      if let fault = state.fault { return .refused(fault) }
      if state.mustRestart { return .restart }
      guard state.hasBegun else { return .none }
      guard isWhole, state.total == nil || state.total == state.part.count else {
        note(&state)
        return .short(kept: state.noted)
      }
      do throws(FileError) {
        try state.part.flush()
      } catch {
        return .refused(error)
      }
      return .complete(sha256: state.part.sum.text, bytes: state.part.count)
    }
  }
}

extension FileError {
  static func tooLarge(_ request: FileQuestion, _ limit: Int) -> FileError {
    FileError(
      .tooLarge,
      "The file \(request.file.shownName) is larger than the \(limit) bytes that this app allows. Nothing of it was kept. "
        + "To allow more, set SyncOptions.largestFile.")
  }
}
