// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

extension ParseError {
  /// The consequence of this refusal for the file that was sent.
  ///
  /// Parse Server gives one code for each reason, also where its storage fails. Only the texts of its own checks part
  /// them. Any other text counts as a failure that may pass, and the limit of attempts ends it.
  package var consequenceForUpload: FileUploadConsequence {
    guard code == .fileSaveError else { return FileUploadConsequence(meaning) }
    if Self.wantsLogin.contains(where: serverText.hasPrefix) { return .askForLogin }
    if Self.refusals.contains(where: serverText.hasPrefix) { return .park }
    return .doubt(mayStillRun: false)
  }

  private static let wantsLogin = [
    "File upload by public is disabled", "File upload by anonymous user is disabled",
  ]

  private static let refusals = [
    "File upload of extension ", "File upload by authenticated user is disabled",
    "Invalid Content-Type", "Invalid file upload", "File size exceeds maximum allowed",
  ]
}
