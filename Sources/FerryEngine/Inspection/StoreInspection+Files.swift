// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
public import FerryStore

extension StoreInspection {
  /// The requests with new files whose answers were lost, or whose files no record names; the newest last.
  ///
  /// ```swift
  /// for lost in try store.inspect({ try $0.lostUploads() }) {
  ///   print("The server may keep \(lost.count) copies of \(lost.file.name) that no record names.")
  /// }
  /// ```
  ///
  /// - Returns: One value for each new file with lost answers, and one for each file of the server that no record names.
  /// - Throws: `StoreError` if the store cannot be read.
  public func lostUploads() throws(StoreError) -> [LostUpload] {
    let files = try reader.state(.sentFiles)
    let lost = files.open.compactMap { name, open -> LostUpload? in
      guard let file = File(name: name).unsent, open.lost > 0, let time = open.lastLost else {
        return nil
      }
      return LostUpload(file: file, count: open.lost, time: time, reason: .answerLost)
    }
    let unnamed = files.unnamed.compactMap { sent in
      File(name: sent.unsent).unsent.map {
        LostUpload(
          file: $0, count: 1, serverName: sent.name, time: sent.time, reason: .editedMeanwhile)
      }
    }
    let replaced = (files.replaced ?? [:]).values.compactMap { replaced in
      File(name: replaced.file.unsent).unsent.map {
        LostUpload(
          file: $0, count: 1, serverName: replaced.file.name, time: replaced.time, reason: .replaced
        )
      }
    }
    return (lost + unnamed + replaced).sorted { ($0.time, $0.file.name) < ($1.time, $1.file.name) }
  }
}
