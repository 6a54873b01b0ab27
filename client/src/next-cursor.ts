/** The `cursor` of the next page, from the header `Link`; undefined on the last page. */
export function nextCursor(link: string | null): string | undefined {
  const target = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '')?.[1];
  // The link is relative; only its query matters.
  return target === undefined
    ? undefined
    : (new URL(target, 'http://localhost').searchParams.get('cursor') ?? undefined);
}
