// Ferry: offline-first sync for Parse Server. MIT licence.

/// The stem of an English word, by the Snowball algorithm that PostgreSQL uses.
///
/// The steps are those of https://snowballstem.org/algorithms/english/stemmer.html.
struct EnglishStem {
  /// A `y` that is a consonant is written `Y`.
  private var letters: [Character]
  /// Where the first and the second region begin, in which endings may go.
  private var first = 0
  private var second = 0

  static func stem(of word: String) -> String {
    if let stem = exceptions[word] { return stem }
    guard word.count > 2 else { return word }
    var stemming = EnglishStem(word)
    stemming.removePossessive()
    stemming.removePlural()
    if !unchanged.contains(stemming.word) {
      stemming.removePast()
      stemming.replaceFinalY()
      stemming.replaceEnding(among: doubleSuffixes)
      stemming.replaceEnding(among: suffixes)
      stemming.removeSuffix()
      stemming.removeFinalE()
    }
    return stemming.word
  }

  private static let exceptions = [
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
    "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    "sky": "sky", "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos",
    "bias": "bias", "andes": "andes",
  ]
  private static let unchanged: Set<String> = [
    "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed",
  ]
  private static let doubles: Set<String> = [
    "bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt",
  ]
  private static let doubleSuffixes = [
    "ization": "ize", "ational": "ate", "fulness": "ful", "ousness": "ous", "iveness": "ive",
    "tional": "tion", "biliti": "ble", "lessli": "less", "entli": "ent", "ation": "ate",
    "alism": "al", "aliti": "al", "ousli": "ous", "iviti": "ive", "fulli": "ful", "enci": "ence",
    "anci": "ance", "abli": "able", "izer": "ize", "ator": "ate", "alli": "al", "bli": "ble",
    "ogi": "og", "li": "",
  ]
  private static let suffixes = [
    "ational": "ate", "tional": "tion", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic",
    "ful": "", "ness": "", "ative": "",
  ]
  private static let endings = [
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
    "ive", "ize", "ion", "al", "er", "ic",
  ]

  private var word: String { String(letters).lowercased() }

  private init(_ word: String) {
    letters = Array(word)
    if letters.first == "'" { letters.removeFirst() }
    for index in letters.indices where letters[index] == "y" {
      if index == 0 || isVowel(index - 1) { letters[index] = "Y" }
    }
    let prefix = ["gener", "commun", "arsen"].first { word.hasPrefix($0) }
    first = prefix?.count ?? region(from: 0)
    second = region(from: first)
  }

  private func isVowel(_ index: Int) -> Bool { "aeiouy".contains(letters[index]) }

  private func hasVowel(before end: Int) -> Bool { (0..<end).contains(where: isVowel) }

  /// Behind the first consonant that follows a vowel.
  private func region(from start: Int) -> Int {
    for index in letters.indices.dropFirst(start + 1) where !isVowel(index) && isVowel(index - 1) {
      return index + 1
    }
    return letters.count
  }

  /// Whether the first letters end with a short syllable.
  private func isShortSyllable(before end: Int) -> Bool {
    if end == 2 { return isVowel(0) && !isVowel(1) }
    return end > 2 && !isVowel(end - 3) && isVowel(end - 2) && !isVowel(end - 1)
      && !"wxY".contains(letters[end - 1])
  }

  private func ends(_ ending: String) -> Bool {
    letters.count >= ending.count && letters.suffix(ending.count).elementsEqual(ending)
  }

  /// Where an ending begins.
  private func start(of ending: String) -> Int { letters.count - ending.count }

  private mutating func replace(_ ending: String, by other: String = "") {
    letters.removeLast(ending.count)
    letters += Array(other)
  }

  private mutating func removePossessive() {
    if let ending = ["'s'", "'s", "'"].first(where: ends) { replace(ending) }
  }

  private mutating func removePlural() {
    if ends("sses") {
      replace("es")
    } else if let ending = ["ied", "ies"].first(where: ends) {
      replace(ending, by: letters.count > 4 ? "i" : "ie")
    } else if ends("s"), !ends("us"), !ends("ss"), hasVowel(before: letters.count - 2) {
      replace("s")
    }
  }

  private mutating func removePast() {
    if let ending = ["eedly", "eed"].first(where: ends) {
      if start(of: ending) >= first { replace(ending, by: "ee") }
      return
    }
    guard let ending = ["ingly", "edly", "ing", "ed"].first(where: ends),
      hasVowel(before: start(of: ending))
    else { return }
    replace(ending)
    if ["at", "bl", "iz"].contains(where: ends) {
      letters.append("e")
    } else if Self.doubles.contains(String(letters.suffix(2))) {
      letters.removeLast()
    } else if first >= letters.count, isShortSyllable(before: letters.count) {
      letters.append("e")
    }
  }

  private mutating func replaceFinalY() {
    let last = letters.count - 1
    guard last > 1, letters[last] == "y" || letters[last] == "Y", !isVowel(last - 1) else { return }
    letters[last] = "i"
  }

  /// Replaces the longest of the endings, if it lies in the first region.
  private mutating func replaceEnding(among endings: [String: String]) {
    let found = endings.keys.filter(ends).max { $0.count < $1.count }
    guard let found, let other = endings[found], start(of: found) >= first else { return }
    let before = start(of: found) > 0 ? letters[start(of: found) - 1] : " "
    switch found {
    case "ogi" where before != "l": return
    case "li" where !"cdeghkmnrt".contains(before): return
    case "ative" where start(of: found) < second: return
    default: replace(found, by: other)
    }
  }

  private mutating func removeSuffix() {
    guard let ending = Self.endings.first(where: ends), start(of: ending) >= second else { return }
    let before = letters[max(start(of: ending) - 1, 0)]
    if ending == "ion", before != "s", before != "t" { return }
    replace(ending)
  }

  private mutating func removeFinalE() {
    let last = letters.count - 1
    if ends("e") {
      if last >= second || last >= first && !isShortSyllable(before: last) { letters.removeLast() }
    } else if ends("ll"), last >= second {
      letters.removeLast()
    }
  }
}
