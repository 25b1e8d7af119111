// Ferry: offline-first sync for Parse Server. MIT licence.

// One import provides everything that an app needs.
@_exported public import FerryCurl
@_exported public import FerryEngine
@_exported public import FerryHTTP
@_exported public import FerryModel
@_exported public import FerryParse
@_exported public import FerryPlanning
@_exported public import FerrySQLite
@_exported public import FerryStore
