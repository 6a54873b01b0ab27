import { element, label, picture } from './svg.mjs';

const WIDTH = 860;
const NAMES = 170;
const BARS = 500;
const ROW = 26;
const PANEL_HEAD = 44;
const SUBJECT = 'ours';

const whole = (number) => Math.round(number).toLocaleString('en');

/** Minimum and maximum over the rounds. */
const whisker = (y, from, to) =>
  element('path', { d: `M${from} ${y}H${to}M${from} ${y - 3}v6M${to} ${y - 3}v6`, stroke: '#24292f', fill: 'none' });

function bar({ name, perSecond: { median, min, max }, ratio }, y, scale) {
  return [
    label(NAMES - 10, y + 14, name, { anchor: 'end', weight: name === SUBJECT ? 700 : 400 }),
    element('rect', {
      x: NAMES,
      y: y + 2,
      width: median * scale,
      height: ROW - 10,
      rx: 2,
      fill: name === SUBJECT ? '#c2255c' : '#adb5bd',
    }),
    whisker(y + 10, (NAMES + min * scale).toFixed(1), (NAMES + max * scale).toFixed(1)),
    label(NAMES + max * scale + 8, y + 14, `${whole(median)}  (${ratio.toFixed(2)})`, { size: 11 }),
  ];
}

function panel(workload, peers, top) {
  const bars = peers.map(({ name, workloads }) => ({ name, ...workloads[workload] }));
  const scale = BARS / Math.max(...bars.map(({ perSecond }) => perSecond.max));
  return [
    label(NAMES, top + 30, workload, { size: 14, weight: 700 }),
    ...bars.flatMap((measured, index) => bar(measured, top + PANEL_HEAD + index * ROW, scale)),
  ];
}

export function comparisonChart({ conditions, peers }) {
  const workloads = Object.keys(peers[0].workloads);
  const panelHeight = PANEL_HEAD + peers.length * ROW;
  const height = 40 + workloads.length * panelHeight + 34;
  const title = `Requests per second and ratio to ${peers[0].name}`;
  const footer =
    `${conditions.generator}, ${conditions.connections.join()} connections, ${whole(conditions.pets)} pets, ${conditions.database}, Node ${conditions.node}, ` +
    `median of ${conditions.rounds} rounds, minimum and maximum`;
  return picture(
    WIDTH,
    height,
    title,
    label(20, 28, title, { size: 16, weight: 700 }),
    ...workloads.flatMap((workload, index) => panel(workload, peers, 40 + index * panelHeight)),
    label(20, height - 14, footer, { size: 11, fill: '#57606a' }),
  );
}
