import type { Place } from './verdict';

/** A place in words; no line where nothing is known of it. */
export function placeLines({ position, between, line }: Place): string[] {
  const inLine = line === undefined ? '' : `line ${line} of the export`;
  if (position !== undefined)
    return [`the history first differs at position ${position}${inLine && `, ${inLine}`}`];
  if (between) return [`the history first differs behind position ${between[0]}, at or before ${between[1]}`];
  return inLine ? [`the history first differs in ${inLine}`] : [];
}
