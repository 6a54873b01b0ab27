/** RFC 9112, section 3.2.2: a server must accept the absolute form. */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** The host and port of a target in the absolute form, undefined in another form. */
export function authorityOf(target: string): string | undefined {
  return target[0] === '/' ? undefined : AUTHORITY.exec(target)?.[1];
}

/** Path and query of a request target. The authority says nothing: the service has every name that leads to it. */
export function originForm(target: string): string {
  if (target[0] === '/') return target;
  const rest = target.replace(AUTHORITY, '');
  // RFC 9110, section 4.2.3: an empty path after an authority is the same as "/".
  return rest === target || rest[0] === '/' ? rest : `/${rest}`;
}

/** The path of a request target, without the query. */
export function pathOf(target: string): string {
  const path = originForm(target);
  const end = path.indexOf('?');
  return end === -1 ? path : path.slice(0, end);
}
