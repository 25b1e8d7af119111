// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// The end of a limited query in its first order, so that no more records come than its rows need.
///
/// The server names the value of the last row that the query needs. All records up to that value then have each row of
/// the query among them, however equal values and the rest of the order sort. Without a bound, all records come.
struct QueryBound {
  /// All up to the last row that the query needs.
  struct End {
    /// The records, as the server is asked for them.
    var constraint: ParseConstraint
    /// The same among the rows of the store.
    var condition: Condition
  }

  private let query: Query
  private let field: String
  private let isDescending: Bool
  private let type: FieldType

  /// Nil for an order that servers sort in another way, and for a condition that the server decides only in part.
  init?(_ query: Query, of entity: Entity, isExact: Bool) {
    guard isExact else { return nil }
    // An app that gives no order takes any of the rows.
    let order = query.order.first ?? .ascending(RecordProperty.createdAt.rawValue)
    switch RecordProperty(rawValue: order.field) {
    case .createdAt, .updatedAt: type = .date
    case .objectID, .localID: return nil
    case nil:
      guard entity.serializer == nil, let type = entity.field(order.field)?.type,
        [.date, .integer, .number].contains(type)
      else { return nil }
      self.type = type
    }
    self.query = query
    field = order.field
    isDescending = order.descending
  }

  /// The end of the records that the query needs; nil if it needs all, or more than a fetch may bring.
  func end(
    among parts: [ParseConstraint], upTo limit: Int, in context: ClassContext
  ) throws(ClassError) -> End? {
    // Without an end, there is no last row.
    guard let wanted = query.fromFirstRow.limit, wanted <= limit else { return nil }
    // An unsent edit may have moved a row that the server has among these, and another row takes its place.
    let pending = try context.read { reader throws(StoreError) in
      var count = 0
      try reader.forEachPendingEntry(of: query.className) { _ in count += 1 }
      return count
    }
    let isProperty = RecordProperty(rawValue: field) != nil
    var present = isProperty ? parts : parts + [.present(field)]
    // A record that is marked as deleted has no row.
    if case .softDelete(let mark) = context.entity.deletionStrategy {
      present.append(.any([.equal(mark, .null), .equal(mark, false)]))
    }
    let probe = ParseQuery(
      present.isEmpty ? nil : .all(present), order: [isDescending ? "-" + field : field],
      keys: isProperty ? [] : [field], limit: 1, skip: wanted + pending - 1)
    var reader = PageReader(context.entity, clientKeyField: context.options.clientKeyField)
    guard let record = try context.page(probe, by: &reader).records.first,
      let value = value(of: record, context.entity)
    else { return nil }
    return end(at: value)
  }

  /// The end at a value of the last row.
  private func end(at value: Value) -> End {
    guard !isDescending else {
      return End(
        constraint: .compare(field, .greaterThanOrEqual, value),
        condition: .field(field, .greaterThanOrEqual, value))
    }
    let end: End
    if case .date(let time) = value {
      // Servers may store finer times than they send.
      let next = Value.date(time.adding(milliseconds: 1))
      end = End(
        constraint: .compare(field, .lessThan, next), condition: .field(field, .lessThan, next))
    } else {
      end = End(
        constraint: .compare(field, .lessThanOrEqual, value),
        condition: .field(field, .lessThanOrEqual, value))
    }
    // Rows without a value come first. Each record has its times, and a new row has none.
    let isProperty = RecordProperty(rawValue: field) != nil
    return End(
      constraint: isProperty ? end.constraint : .any([.equal(field, .null), end.constraint]),
      condition: .isNull(field) || end.condition)
  }

  private func value(of record: ServerRecord, _ entity: Entity) -> Value? {
    switch RecordProperty(rawValue: field) {
    case .createdAt: return .date(record.createdAt)
    case .updatedAt: return record.version.timestamp.map(Value.date)
    case .objectID, .localID: return nil
    case nil:
      let value = entity.positions[field].map { record.values[$0] }
      return value?.isNull == false ? value : nil
    }
  }
}
