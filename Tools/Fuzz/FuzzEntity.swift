// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

/// A Swift type with a property of each kind.
struct FuzzEntity: SyncEntity, Equatable {
  /// An object of its own type.
  struct Part: Codable, Equatable {
    var name: String?
    var numbers: [Int]?
  }

  var id = LocalID()
  var text: String?
  var flag: Bool?
  var byte: UInt8?
  var whole: Int?
  var huge: UInt64?
  var single: Float?
  var number: Double?
  var date: Date?
  var stamp: Timestamp?
  var bytes: Data?
  var address: URL?
  var pointer: Pointer?
  var place: GeoPoint?
  var file: File?
  var part: Part?
  var parts: [String: [Part]]?
  var value: Value?
}
