import { BEGINNING, type Position } from '../../../contracts/position';

/** Size of a record in the simulated log: positions have gaps, like those of the server. */
const RECORD_BYTES = 64;

/** The log of a server begins with a record that is not an event. */
export function toLog(position: Position): string {
  return String((position + 1) * RECORD_BYTES);
}

/** No record begins at the position. */
export class NoRecord extends Error {}

/** @throws NoRecord */
export function fromLog(text: string): Position {
  const offset = Number(text);
  if (offset % RECORD_BYTES !== 0) throw new NoRecord();
  return offset === 0 ? BEGINNING : offset / RECORD_BYTES - 1;
}
