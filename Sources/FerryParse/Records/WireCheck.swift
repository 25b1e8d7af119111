// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Refuses values that the server would change or misunderstand, or that would crash it.
struct WireCheck {
  /// The field of the value, named in errors.
  let field: String

  /// The server's arithmetic is exact for all whole numbers up to this one.
  private static let exact: Int64 = 1 << 53
  /// `JSONReader` reads 128 levels, and a page or batch has a few around each value.
  private static let deepest = 120

  /// Checks a field's value and all values inside it.
  func check(_ value: Value) throws(SerializationError) {
    if case .object(let members) = value, members["__op"] != nil {
      throw SerializationError(
        .operationAsValue, field,
        "holds an object with the key __op, which the server would carry out",
        "Use another key.")
    }
    if case .bytes(let bytes) = value, bytes.isEmpty {
      throw SerializationError(
        .emptyBytes, field, "holds bytes of length zero, which the server refuses",
        "Clear the field instead.")
    }
    try checkInside(value, depth: 0)
  }

  /// Checks a parameter of a function, which the server stores nowhere.
  func check(parameter value: Value) throws(SerializationError) {
    try checkInside(value, depth: 0)
  }

  private func checkInside(_ value: Value, depth: Int) throws(SerializationError) {
    switch value {
    case .null, .boolean, .bytes, .relation: break
    case .pointer(let pointer): try check(pointer)
    case .string(let text): try check(text)
    case .integer(let whole): try check(whole.magnitude <= Self.exact)
    case .number(let number): try check(number)
    case .date(let date): try check(date)
    case .geoPoint(let point): try check([point])
    case .polygon(let corners): try check(corners)
    case .file(let file): try check(fileNamed: file.name, file.url)
    case .array(let elements):
      try check(depth: depth)
      for element in elements { try checkInside(element, depth: depth + 1) }
    case .object(let members):
      try check(depth: depth)
      if members["__type"] == "File" {
        let texts = ["name", "url"].map { name -> String? in
          if case .string(let text)? = members[name] { text } else { nil }
        }
        try check(fileNamed: texts[0] ?? "", texts[1])
      }
      for member in members {
        try check(member.key)
        try checkInside(member.value, depth: depth + 1)
      }
    }
  }

  private func check(depth: Int) throws(SerializationError) {
    guard depth < Self.deepest else {
      throw SerializationError(
        .tooDeep, field,
        "holds lists and objects that are nested deeper than \(Self.deepest) levels, which no device could read",
        "Nest them less deeply, or store them as text.")
    }
  }

  private func check(_ pointer: Pointer) throws(SerializationError) {
    guard !pointer.objectID.isEmpty else {
      throw SerializationError(
        .emptyPointer, field, "holds a pointer with an empty object id, which names no record",
        "Clear the field instead.")
    }
  }

  /// PostgreSQL cannot store U+0000: every attempt would end in an internal error.
  private func check(_ text: String) throws(SerializationError) {
    guard !text.utf8.contains(0) else {
      throw SerializationError(
        .nullCharacter, field, "holds a text with the character U+0000, which servers cannot store",
        "Take the character out, or use a field of bytes.")
    }
  }

  private func check(_ isExact: Bool) throws(SerializationError) {
    guard isExact else {
      throw SerializationError(
        .numberTooLarge, field, "holds a whole number beyond ±2^53, which the server would change",
        "Store it as text.")
    }
  }

  private func check(_ number: Double) throws(SerializationError) {
    guard number.isFinite else {
      throw SerializationError(
        .notANumber, field, "holds infinity or not a number, which JSON cannot say",
        "Write a finite number, or clear the field.")
    }
  }

  private func check(_ corners: [GeoPoint]) throws(SerializationError) {
    for corner in corners {
      try check(corner.latitude)
      try check(corner.longitude)
    }
  }

  private func check(_ date: Timestamp) throws(SerializationError) {
    guard Timestamp.storable.contains(date) else {
      throw SerializationError(
        .dateOutOfRange, field, "holds a date outside the years 0001 to 9999",
        "Write a date within them.")
    }
  }

  private func check(fileNamed name: String, _ url: String?) throws(SerializationError) {
    guard !File(name: name).isUnsent else {
      throw SerializationError(
        .unsentFile, field, "holds a new file that the server does not have",
        "Put a new file into a field of the type file, as its whole value.")
    }
    guard url?.isEmpty == false else {
      throw SerializationError(
        .fileWithoutURL, field, "holds a file without its URL, which can end the server",
        "Upload the file first, and store the name and the URL of the answer.")
    }
  }
}
