/** RFC 9112, section 3.2.2: a server must accept the absolute form. */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** The path of a request target, without the query. */
export function pathOf(target: string): string {
  const path = target[0] === '/' ? target : target.replace(AUTHORITY, '');
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}
