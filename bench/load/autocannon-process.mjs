// A separate process, so that it can run on a separate core. Prints the same line as wrk.lua.
import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';

const { address, connections, seconds, method, key, pathsFile, body } = JSON.parse(process.argv[2]);

const headers = {
  authorization: `Bearer ${key}`,
  ...(body !== undefined && { 'content-type': 'application/json' }),
};
const origin = new URL(address).origin;
const requests = readFileSync(pathsFile, 'utf8')
  .trimEnd()
  .split('\n')
  .map((path) => ({ method, path, headers, body }));

/** Autocannon builds the requests of each connection in advance, so give each connection a share of them. */
const shareOf = (connection) => requests.filter((_, index) => index % connections === connection % requests.length);

let connection = 0;
// Autocannon's own percentiles are in whole milliseconds.
const microseconds = createHistogram();

const run = autocannon({
  url: origin,
  connections,
  duration: seconds,
  timeout: 10,
  setupClient: (client) => client.setRequests(shareOf(connection++)),
});
run.on('response', (client, status, bytes, milliseconds) => {
  microseconds.record(Math.max(1, Math.round(milliseconds * 1000)));
});
const result = await run;

console.log(
  JSON.stringify({
    requests: result.requests.total,
    microseconds: result.duration * 1e6,
    failed: result.non2xx,
    errors: result.errors + result.timeouts,
    p50: microseconds.percentile(50) / 1000,
    p99: microseconds.percentile(99) / 1000,
  }),
);
