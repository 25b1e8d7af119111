// Ferry: offline-first sync for Parse Server. MIT licence.

/// All short courses of events of two devices, another client and two records, and each with failures.
///
/// A simulation tries what chance gives. A small scope leaves nothing out: most mistakes show with few events.
///
/// - An event is an insert, an edit of one of two fields, a delete, or a sync. A course has at most `longest`.
/// - A record is there from the beginning, or begins with its insert.
/// - Nobody writes to a record that is not known there, or that is known to be deleted. No device syncs twice with
///   nothing between.
/// - Courses that differ only in the names of devices, records or fields are one. So are courses that differ only in the
///   order of events that do not meet, as edits on two devices.
///
/// A number has one course with the settings of a plain server, the next one the same course with all options.
public struct SmallScope: Sendable {
  /// The most events of a course.
  public static let longest = 6
  private static let settings = [0, 1]

  private let courses: [Course]

  /// Finds all courses.
  ///
  /// - Parameter longest: The most events of a course.
  public init(longest: Int = Self.longest) {
    courses = Search(longest: longest).courses
  }

  /// The number of courses, in each of the settings.
  public var count: Int { courses.count * Self.settings.count }

  /// A course without a failure, from 0 up to `count`; shorter ones come first.
  public func world(at number: Int) -> World {
    let hasOptions = number % Self.settings.count == 1
    return courses[number / Self.settings.count].world(hasOptions: hasOptions)
  }
}
