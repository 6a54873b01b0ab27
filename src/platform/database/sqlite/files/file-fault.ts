/** With SQLite's code for it, although SQLite itself does not notice it while it uses a write-ahead log. */
export class FileFault extends Error {
  readonly code = 'SQLITE_READONLY_DBMOVED';
}
