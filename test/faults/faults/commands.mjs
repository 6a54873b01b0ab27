const GATE = 'bench/measure/regression.mjs';

/** Commands of the repository. */
export default [
  {
    mistake: 'the gate passes whatever the noise hides',
    file: GATE,
    text: '!fell && !(tolerance <= MOST_TOLERANCE)',
    replacement: 'false',
    tests: 'project/regression-gate',
    promise: 'is inconclusive when the noise hides that requests cost twice as much',
  },
  {
    mistake: 'the gate takes the noise of the median for that of the mean',
    file: GATE,
    text: 'DEVIATIONS * noise * deviationOfMedian(rounds.length)',
    replacement: '(DEVIATIONS * noise) / Math.sqrt(rounds.length)',
    tests: 'project/regression-gate',
    promise: 'tolerates three standard deviations of the median of 6 rounds',
  },
];
