import { element, label, picture } from './svg.mjs';

const WIDTH = 720;
const HEIGHT = 380;
const AREA = { left: 60, right: 570, top: 60, bottom: 320 };
const GREY = '#57606a';

/** Pixels per label, so that the names of overlapping lines stay readable. */
const LABEL_HEIGHT = 15;

export const COLOURS = ['#c2255c', '#1971c2', '#2b8a3e', '#e67700', '#5f3dc4'];

const gridLine = (y, value) => [
  element('path', { d: `M${AREA.left} ${y.toFixed(1)}H${AREA.right}`, stroke: '#d0d7de', fill: 'none' }),
  label(AREA.left - 8, y + 4, value.toFixed(1), { anchor: 'end', size: 11 }),
];

const steps = (most) => Array.from({ length: Math.round(most / 0.5) + 1 }, (_, index) => index * 0.5);

/** Names at the height where their lines end, moved apart where they would overlap. */
function namePositions(ends) {
  const order = ends.map((_, index) => index).toSorted((a, b) => ends[a] - ends[b]);
  const positions = [];
  let free = -Infinity;
  for (const index of order) {
    positions[index] = Math.max(ends[index], free);
    free = positions[index] + LABEL_HEIGHT;
  }
  return positions;
}

/** Ratios over a logarithmic axis; each line has a name, a colour and a value for each position on the axis. */
export function lineChart(title, axis, positions, lines) {
  const highest = Math.max(1.5, ...lines.flatMap(({ values }) => values));
  const most = Math.ceil(highest * 2) / 2;
  const decades = Math.log10(positions.at(-1) / positions[0]) || 1;
  const x = (position) => AREA.left + (Math.log10(position / positions[0]) / decades) * (AREA.right - AREA.left);
  const y = (value) => AREA.bottom - (value / most) * (AREA.bottom - AREA.top);
  const ends = namePositions(lines.map(({ values }) => y(values.at(-1))));
  return picture(
    WIDTH,
    HEIGHT,
    title,
    label(20, 30, title, { size: 16, weight: 700 }),
    ...steps(most).flatMap((value) => gridLine(y(value), value)),
    ...positions.map((position) =>
      label(x(position), AREA.bottom + 20, position.toLocaleString('en'), { anchor: 'middle', size: 11 }),
    ),
    label((AREA.left + AREA.right) / 2, AREA.bottom + 42, axis, { anchor: 'middle', fill: GREY }),
    ...lines.flatMap(({ name, values, colour, dashes = 'none' }, index) => [
      element('polyline', {
        points: values.map((value, at) => `${x(positions[at]).toFixed(1)},${y(value).toFixed(1)}`).join(' '),
        fill: 'none',
        stroke: colour,
        'stroke-width': 2,
        'stroke-dasharray': dashes,
      }),
      label(AREA.right + 10, ends[index] + 4, name, { fill: colour }),
    ]),
  );
}
