/**
 * A file was moved or damaged while in use. The code is SQLite's, although SQLite itself does not notice this while it
 * uses a write-ahead log.
 */
export class FileFault extends Error {
  readonly code = 'SQLITE_READONLY_DBMOVED';
}
