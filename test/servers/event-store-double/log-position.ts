import { status } from '@grpc/grpc-js';
import { BEGINNING, type Position } from '../../../contracts/position';
import { Refused } from './refused';

/** Bytes that every record of the pretended log takes: positions have gaps, as those of the server. */
const RECORD = 64;

/** The log of a server begins with a record that is no event. */
export function toLog(position: Position): string {
  return String((position + 1) * RECORD);
}

/** @throws Refused when no record begins there */
export function fromLog(text: string): Position {
  const offset = Number(text);
  if (offset % RECORD !== 0) throw new Refused(status.INVALID_ARGUMENT, 'invalid-position', {});
  return offset === 0 ? BEGINNING : offset / RECORD - 1;
}
