// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import FerryStore

/// The name of the SQL function that puts a column's value to a test of Swift.
///
/// Its second argument is a pointer, which no SQL can make. Only Ferry's own statements may use it.
let testFunction = "ferry_holds"

/// A test that a statement can bind: SQLite keeps a reference to it, and nothing is made anew for a row.
final class TestOfValues: SQLiteBindable {
  /// What SQLite calls such a pointer; it reads the text for as long as a statement has one bound.
  private static let kind: StaticString = "ferry_test"

  private let test: ValueTest

  init(_ test: ValueTest) { self.test = test }

  private static func withKind<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    kind.utf8Start.withMemoryRebound(to: CChar.self, capacity: kind.utf8CodeUnitCount + 1, body)
  }

  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError) {
    let reference = Unmanaged.passRetained(self).toOpaque()
    // SQLite calls the destructor also where it refuses the pointer.
    try statement.check(
      Self.withKind { kind in
        sqlite3_bind_pointer(statement.pointer, index, reference, kind) { reference in
          if let reference { Unmanaged<TestOfValues>.fromOpaque(reference).release() }
        }
      })
  }

  /// Registers the function with a connection.
  static func addFunction(to connection: SQLiteConnection) throws(StoreError) {
    let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
    try connection.check(
      sqlite3_create_function_v2(
        connection.handle, testFunction, 2, flags, nil,
        { context, _, arguments in
          guard let arguments,
            let reference = TestOfValues.withKind({ sqlite3_value_pointer(arguments[1], $0) }),
            let holds = Unmanaged<TestOfValues>.fromOpaque(reference)
              .takeUnretainedValue().holds(for: arguments[0])
          else { return sqlite3_result_null(context) }
          sqlite3_result_int(context, holds ? 1 : 0)
        }, nil, nil, nil))
  }

  /// Reads a value as a read of the row does; nil for a missing value, and for what no such field can hold.
  private func holds(for value: OpaquePointer?) -> Bool? {
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value) else {
      return nil
    }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    if case .text = test { return test.holds(for: .string(text)) }
    return Value(wireJSON: text).flatMap(test.holds)
  }
}
