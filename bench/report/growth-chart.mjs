import { element, label, picture } from './svg.mjs';

const WIDTH = 720;
const HEIGHT = 380;
const AREA = { left: 60, right: 570, top: 60, bottom: 320 };
const COLOURS = ['#c2255c', '#1971c2', '#2b8a3e', '#e67700', '#5f3dc4'];

/** Pixels per label, so that the names of overlapping lines stay readable. */
const LABEL_HEIGHT = 15;

const gridLine = (y, cost) => [
  element('path', { d: `M${AREA.left} ${y.toFixed(1)}H${AREA.right}`, stroke: '#d0d7de', fill: 'none' }),
  label(AREA.left - 8, y + 4, cost.toFixed(1), { anchor: 'end', size: 11 }),
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

export function growthChart(workloads) {
  const sizes = workloads[0].sizes.map(({ pets }) => pets);
  const highest = Math.max(1.5, ...workloads.flatMap((line) => line.sizes.map(({ cost }) => cost)));
  const most = Math.ceil(highest * 2) / 2;
  const decades = Math.log10(sizes.at(-1) / sizes[0]) || 1;
  const x = (pets) => AREA.left + (Math.log10(pets / sizes[0]) / decades) * (AREA.right - AREA.left);
  const y = (cost) => AREA.bottom - (cost / most) * (AREA.bottom - AREA.top);
  const ends = namePositions(workloads.map((line) => y(line.sizes.at(-1).cost)));
  const title = `Cost of a request, relative to its cost with ${sizes[0].toLocaleString('en')} pets`;
  return picture(
    WIDTH,
    HEIGHT,
    title,
    label(20, 30, title, { size: 16, weight: 700 }),
    ...steps(most).flatMap((cost) => gridLine(y(cost), cost)),
    ...sizes.map((pets) => label(x(pets), AREA.bottom + 20, pets.toLocaleString('en'), { anchor: 'middle', size: 11 })),
    label((AREA.left + AREA.right) / 2, AREA.bottom + 42, 'pets in the table', { anchor: 'middle', fill: '#57606a' }),
    ...workloads.flatMap(({ workload, sizes: measured }, index) => [
      element('polyline', {
        points: measured.map(({ pets, cost }) => `${x(pets).toFixed(1)},${y(cost).toFixed(1)}`).join(' '),
        fill: 'none',
        stroke: COLOURS[index % COLOURS.length],
        'stroke-width': 2,
      }),
      label(AREA.right + 10, ends[index] + 4, workload, { fill: COLOURS[index % COLOURS.length] }),
    ]),
  );
}
