/** Letters and digits, and the characters that mean something in a regular expression. */
const MAY_BE_ESCAPED = /[\dA-Za-z^$\\.*+?()[\]{}|/]/;

/** The first escape that the flag "u" forbids, such as `\-` outside of a class: it means the same without the backslash. */
export function needlessEscape(pattern: string): string | undefined {
  let isInClass = false;
  for (const [token] of pattern.matchAll(/\\[^]|[^]/gu)) {
    if (token === '[') isInClass = true;
    else if (token === ']') isInClass = false;
    const escaped = token.length > 1 && token.startsWith('\\') ? token.slice(1) : undefined;
    if (escaped !== undefined && !MAY_BE_ESCAPED.test(escaped) && !(isInClass && escaped === '-')) return token;
  }
  return undefined;
}
