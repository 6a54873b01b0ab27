import { describe, expect, it } from '@jest/globals';
import { traceIdOf } from '../../src/platform/http/outcomes/trace-id.js';
import { readableLine, safeLine } from '../../src/platform/process/log-line.js';

/** What some reader takes for the end of a line, or a terminal for a command. */
const FORGED = 'a\r\nb\u0085c\u2028d\u2029e\u001b[31mf\u009b31mg\u007fh\u202ei\vj\fk';
const DANGEROUS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

function lineWith(members: object): string {
  return `${JSON.stringify({ level: 30, time: 0, pid: 7, hostname: 'host', context: 'Toys', ...members })}\n`;
}

describe('a line of the log', () => {
  it('means the same without characters that could be mistaken for its end or a command', () => {
    const line = safeLine(lineWith({ msg: FORGED }));
    expect(line.slice(0, -1)).not.toMatch(DANGEROUS);
    expect(JSON.parse(line)).toMatchObject({ msg: FORGED });
  });

  it('is readable on a terminal', () => {
    expect(readableLine(lineWith({ msg: 'The toys are here.', count: 3, name: 'Ball', note: 'two words' }))).toBe(
      '00:00:00.000 INFO Toys The toys are here. count=3 name=Ball note="two words"\n',
    );
  });

  it.each(['msg', 'context', 'name'])('is one line on a terminal whatever it quotes: %s', (member) => {
    const line = readableLine(lineWith({ [member]: FORGED }));
    expect(line.slice(0, -1)).not.toMatch(DANGEROUS);
    expect(line.endsWith('\n')).toBe(true);
  });

  it('has an indented stack on a terminal, which cannot forge a line', () => {
    const stack = `Error: bad\n12:00:00.000 INFO forged\r\u001b[31m\n    at toys.ts:7`;
    const cause = { type: 'Error', message: 'the reason' };
    const line = readableLine(
      lineWith({ level: 50, msg: 'It failed.', err: { type: 'Error', message: 'bad', stack, cause } }),
    );
    expect(line.split('\n')).toEqual([
      '00:00:00.000 ERROR Toys It failed.',
      '    Error: bad',
      String.raw`    12:00:00.000 INFO forged\u000d\u001b[31m`,
      '    at toys.ts:7',
      '    {"type":"Error","message":"the reason"}',
      '',
    ]);
  });
});

describe('the trace id', () => {
  it.each([
    `00-${TRACE}-00f067aa0ba902b7-01`,
    `01-${TRACE}-00f067aa0ba902b7-01`,
    `cc-${TRACE}-00f067aa0ba902b7-01-what-the-future-brings`,
  ])('is that of a valid traceparent: %s', (header) => {
    expect(traceIdOf(header)).toBe(TRACE);
  });

  it.each([
    '',
    TRACE,
    `00-${TRACE}-00f067aa0ba902b7-01-more`,
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-00f067aa0ba902b7-01, 00-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7-01\u2028`,
  ])('is absent for another header: %j', (header) => {
    expect(traceIdOf(header)).toBeUndefined();
  });
});
