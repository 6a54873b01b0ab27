/** W3C Trace Context: version, trace id, parent id and flags. Only versions after 00 may have further fields. */
const TRACE_PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

/** The trace id of a valid `traceparent`. Node joins repeated headers, which makes them invalid. */
export function traceIdOf(traceParent: string | string[] | undefined): string | undefined {
  if (typeof traceParent !== 'string') return undefined;
  const [, version, traceId, more] = TRACE_PARENT.exec(traceParent) ?? [];
  return version === '00' && more !== undefined ? undefined : traceId;
}
