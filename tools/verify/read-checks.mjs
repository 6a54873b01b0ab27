import { differencesOf } from './differences.mjs';
import { leftOut, pathOf, unknownOf, validRequest } from './valid-requests.mjs';

const JSON_ONLY = { Accept: 'application/json' };
/** Resources that are tried in turn: another caller may delete the one that the list had. */
const TRIES = 3;

/**
 * For each operation that only reads: a valid request succeeds, and its response is what the contract declares. A path gets
 * the id of a resource that its list has, because the command cannot create one.
 */
export function readChecks(operations, instance) {
  const call = ({ path, headers }) => instance.call('GET', path, { headers: { ...headers, ...JSON_ONLY } });
  const lists = new Map(operations.filter(isRead).map((operation) => [operation.path, operation]));
  return operations.filter(isRead).map((operation) => {
    const named = operation.parameters.filter((each) => each.in === 'path');
    const list = lists.get(operation.path.split('/{')[0]);
    const status = successOf(operation);
    const reason = reasonToLeaveOut(operation, status, named, list);
    if (reason) return leftOut(operation, 'with success', reason);
    const run = async () => {
      const request = validRequest(operation);
      if (named.length === 0) return differencesOf(operation, await call(request), status);
      let response;
      for (let left = TRIES; left > 0 && response?.status !== status; left -= 1) {
        const id = firstId((await call(validRequest(list))).exact);
        if (id === undefined) return undefined;
        const [, ...query] = request.path.split('?');
        response = await call({ ...request, path: [pathOf(operation, { [named[0].name]: id }), ...query].join('?') });
      }
      return differencesOf(operation, response, status);
    };
    const otherwise = list && `${operation.id} with success (GET ${list.path} lists no id)`;
    return { operation: operation.id, what: 'a valid request', status, run, otherwise };
  });
}

const isRead = ({ method }) => method === 'GET';

const successOf = ({ responses }) => [...responses.keys()].find((status) => status < 300);

function reasonToLeaveOut(operation, status, named, list) {
  // A stream of events may never end.
  if (!operation.responses.get(status)?.validate) return 'its success is not JSON';
  if (named.length > 1) return 'its path has several parameters';
  if (named.length === 1 && (!list || unknownOf(list))) return 'no list is known that has its ids';
  return unknownOf(operation);
}

/** Of a list, or of a list in a member. */
function firstId(body) {
  const items = [body, ...Object.values(body ?? {})].find(Array.isArray);
  const id = items?.[0]?.id;
  return id === undefined || id === null ? undefined : String(id);
}
