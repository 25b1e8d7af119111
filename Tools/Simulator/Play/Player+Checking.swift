// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning

// The ends that a run may have.
extension Player {
  func check(_ run: SyncRun, of device: Device, wasRough: Bool) throws {
    guard device.requestCount <= SimulatedNetwork.mostRequests else {
      throw Violation(
        .tooManyRequests,
        "a sync of \(device.letter) took more than "
          + "\(SimulatedNetwork.mostRequests) requests")
    }
    guard device.requestsAfterRefusal <= SimulatedNetwork.mostAfterRefusal else {
      throw Violation(
        .tooManyRequests,
        "a sync of \(device.letter) sent \(device.requestsAfterRefusal) requests after the server had "
          + "refused its session")
    }
    if let harm = server.violations.first { throw Violation(.harm, harm) }
    guard case .failure(let error) = run.result else { return }
    // Documented: a sync without a login ends so where the server shows none of the classes.
    if error.code == .loginNeeded, mayNeedLogin { return }
    let isExcused =
      wasRough
      && ![.internalError, .configuration, .otherServer, .otherUser].contains(error.code)
    guard isExcused else {
      throw Violation(
        .failedSync, "a sync of \(device.letter) stopped with \(error.code.rawValue): \(error)")
    }
  }

  /// A sync whose session does not fit moves no data, and says why.
  func check(
    _ run: SyncRun, of device: Device, as standing: Standing, isExcused: Bool
  ) throws {
    // A stage alone may need no server.
    if case .success = run.result, device.requestCount == 0 { return }
    if isExcused, case .failure(let error) = run.result, error.code != .internalError { return }
    if case .failure(let error) = run.result, error.code == standing.error,
      device.requestCount <= standing.requests
    {
      return
    }
    throw Violation(
      .wrongUser,
      "a sync of \(device.letter) took \(device.requestCount) requests, and its session is "
        + "\(standing) for the data of \(device.owner?.rawValue ?? "nobody")")
  }

  /// A sync or plan beside another sync of the device ends at once, and says why.
  func checkIsRefused(_ run: SyncRun, of device: Device) throws {
    if case .failure(let error) = run.result, error.code == .busy, device.requestCount == 0 {
      return
    }
    throw Violation(
      .failedSync,
      "the other program of \(device.letter) ran beside a sync, took \(device.requestCount) requests, "
        + "and ended with \(String(describing: run.result))")
  }
}
