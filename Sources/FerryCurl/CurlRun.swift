// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// One run of a transport: the loop between libcurl and the caller.
struct CurlRun {
  private let multi: MultiHandle
  private let options: CurlOptions
  private let cancellation: CancellationSignal
  private let clock = ContinuousClock()
  private var queue = RequestQueue()
  private var underWay: [EasyHandle.Pointer: Transfer] = [:]

  init(
    _ requests: [HTTPRequest], on multi: MultiHandle, _ options: CurlOptions,
    _ cancellation: CancellationSignal
  ) {
    self.multi = multi
    self.options = options
    self.cancellation = cancellation
    queue.add(requests, now: clock.now)
  }

  typealias Completion<Failure: Error> = (HTTPRequest, Result<HTTPResponse, HTTPError>)
    throws(Failure) -> [HTTPRequest]

  /// Goes on until no request is left.
  mutating func finish<Failure: Error>(_ completed: Completion<Failure>) throws(Failure) {
    let registration = cancellation.onCancel { [multi] in multi.wakeUp() }
    defer { registration.end() }
    // However the run ends, libcurl must not keep a transfer that nobody else holds.
    defer { for transfer in underWay.values { multi.remove(transfer.handle) } }
    while !cancellation.isCancelled {
      try startDue(completed)
      if underWay.isEmpty && queue.isEmpty { return }
      let isSound = multi.perform()
      if try collectEnded(completed) { continue }
      if try endSilent(completed) { continue }
      // If the library itself fails, nothing is known about single transfers, so all of them end.
      guard isSound, multi.poll(upTo: untilNextDue()) else {
        try failAll(completed)
        continue
      }
    }
    // A complete answer takes precedence over a cancellation.
    _ = try collectEnded(completed)
    try cancelAll(completed)
  }

  /// Starts requests that are due, as long as there is room.
  private mutating func startDue<Failure: Error>(_ completed: Completion<Failure>) throws(Failure) {
    while underWay.count < options.requestsInFlight, !cancellation.isCancelled,
      let request = queue.next(now: clock.now, upTo: room)
    {
      do throws(HTTPError) {
        let transfer = try start(request)
        underWay[transfer.handle.pointer] = transfer
      } catch {
        queue.add(try completed(request, .failure(error)), now: clock.now)
      }
    }
  }

  /// The greatest answer in bytes that fits beside those under way.
  private var room: Int {
    if underWay.isEmpty { return .max }
    return underWay.values.reduce(options.answerBytesInFlight) { $0 - $1.request.heldBytes }
  }

  private func start(_ request: HTTPRequest) throws(HTTPError) -> Transfer {
    let address = try CurlURL(request, allowsCleartext: options.allowsCleartext)
    if let name = request.headers.unsendableName {
      throw .refused(
        .invalidHeader, "The header \(name) holds a character that cannot be sent", request,
        .notSent, advice: "Look for a line break in the key or token it is made from")
    }
    do throws(CurlCode) {
      let handle = try multi.takeEasyHandle()
      let transfer = try Transfer(request, on: handle, to: address, options, now: clock.now)
      try multi.add(handle)
      return transfer
    } catch {
      throw .failed(CurlError(code: error, detail: ""), request, .notSent, status: nil)
    }
  }

  /// Passes on what has ended; false if nothing had.
  private mutating func collectEnded<Failure: Error>(
    _ completed: Completion<Failure>
  ) throws(Failure) -> Bool {
    var any = false
    while let (pointer, code) = multi.nextEnded() {
      any = true
      guard let transfer = underWay.removeValue(forKey: pointer) else { continue }
      let result = transfer.result(code)
      multi.remove(transfer.handle)
      // After a failure, libcurl 7.88.1 keeps a handle's buffer and refuses to set its size again.
      if code == .ok { multi.giveBack(transfer.handle) }
      queue.add(try completed(transfer.request, result), now: clock.now)
    }
    return any
  }

  /// Ends the transfers in which no byte has passed for too long; false if there are none.
  private mutating func endSilent<Failure: Error>(
    _ completed: Completion<Failure>
  ) throws(Failure) -> Bool {
    let now = clock.now
    let silent = underWay.filter { $0.value.endOfPatience(now: now) <= now }
    for (pointer, transfer) in silent {
      underWay[pointer] = nil
      let failure = transfer.failureOfSilence()
      multi.remove(transfer.handle)
      queue.add(try completed(transfer.request, .failure(failure)), now: clock.now)
    }
    return !silent.isEmpty
  }

  /// The time until a request is due or ends for its silence; at most a second, in case a wake-up gets
  /// lost.
  private func untilNextDue() -> Duration {
    let now = clock.now
    let next =
      underWay.values.map { $0.endOfPatience(now: now) } + [queue.nextDue].compactMap(\.self)
    return max(min(next.min().map { now.duration(to: $0) } ?? .seconds(1), .seconds(1)), .zero)
  }

  /// Ends all requests after a failure of the library.
  private mutating func failAll<Failure: Error>(_ completed: Completion<Failure>) throws(Failure) {
    for transfer in removeUnderWay() {
      let error = CurlError(code: .outOfMemory, detail: "")
      let failure = HTTPError.failed(error, transfer.request, transfer.outcome, status: nil)
      queue.add(try completed(transfer.request, .failure(failure)), now: clock.now)
    }
  }

  /// Ends all remaining requests.
  ///
  /// It drops requests returned for a cancelled one; otherwise the run
  /// would never end.
  private mutating func cancelAll<Failure: Error>(_ completed: Completion<Failure>) throws(Failure)
  {
    for transfer in removeUnderWay() {
      let request = transfer.request
      _ = try completed(
        request, .failure(.cancelled(transfer.outcome, isWrite: request.isWrite)))
    }
    for request in queue.removeAll() {
      _ = try completed(request, .failure(.cancelled(.notSent)))
    }
  }

  private mutating func removeUnderWay() -> [Transfer] {
    defer { underWay = [:] }
    for transfer in underWay.values { multi.remove(transfer.handle) }
    return Array(underWay.values)
  }
}
