import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import type { Taker } from './taker.js';

/** Times that a Date does not hold. */
const FINE_TIMES = ['1234', '123456', '123456789'].flatMap((digits) =>
  ['Z', '+00:00'].map((zone) => `2030-12-05T10:30:00.${digits}${zone}`),
);

/** Throws a StartError where a Date is made of any text, such as 2001 of "5". Numbers are milliseconds. */
export function assertTime({ place, name }: Taker, { position, types, itemTypes, isTime }: DeclaredField): void {
  if (isTime || ![...types, ...itemTypes].includes('string')) return;
  throw new StartError(
    `${position} ${name} may be any text here, but ${place} makes it a Date; give it the format date or date-time here, or take it as text.`,
  );
}

/** Throws a StartError where a Date is made of a time that has more digits. */
export function assertMilliseconds(
  { place, name }: Taker,
  { position, isTime, accepts }: DeclaredField,
  makesDate: (time: string) => boolean = () => true,
): void {
  if (!isTime || !FINE_TIMES.some((time) => (accepts(time) || accepts([time])) && makesDate(time))) return;
  throw new StartError(
    `${position} ${name} may be finer than milliseconds here, but ${place} makes it a Date, which loses digits; give it a pattern here, such as '^[^.]+(\\.\\d{1,3})?Z$', or take it as text.`,
  );
}
