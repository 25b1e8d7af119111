// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// How far a sync has come, on one line of any width.
struct ProgressLine: Equatable {
  var stage: StageName
  /// The stage's place among those that run, from 1.
  var number: Int
  var stageCount: Int
  var className: String?
  var done = 0
  var expected: Int?
  /// Records a second, once it can be told.
  var rate: Int?
  /// How many seconds the server has been silent, if it is.
  var silence: Double?

  /// The line, with what matters least left out where it does not fit.
  func text(width: Int) -> String {
    // The last column stays free: some terminals wrap when it is written.
    let room = max(width - 1, 1)
    return variants.first { $0.count <= room } ?? String((variants.last ?? "").prefix(room))
  }

  private var variants: [String] {
    let place = "\(number)/\(stageCount)"
    let waiting = silence.map { "waiting \(ReportText.duration($0))" }
    guard let className else {
      let name = "\(place) \(stage.rawValue)"
      return [waiting.map { "\(name)  \($0)" }, name, place].compactMap(\.self)
    }
    let count = expected.map { "\(done.grouped)/\($0.grouped)" } ?? done.grouped
    let share = expected.flatMap { expected in
      expected > 0 ? "\(min(100, done * 100 / expected))%" : nil
    }
    let speed = rate.map { "\($0.grouped)/s" }
    let parts = (waiting.map { [$0] } ?? [share, speed]).compactMap(\.self)
    let full = (["\(place) \(stage.rawValue)  \(className) \(count)"] + parts)
    return [
      full.joined(separator: "  "), full.dropLast(parts.isEmpty ? 0 : 1).joined(separator: "  "),
      waiting.map { "\(place) \($0)" } ?? full[0], full[0], "\(place) \(className) \(count)",
      "\(place) \(count)", place,
    ]
  }
}

extension Int {
  /// With a comma after every three digits.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return self < 0 ? "-\(text)" : text
  }
}
