import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Milliseconds between two tries at a pipe that is full, and how many there are. */
const NAP = 10;
const TRIES = 100;

/**
 * Writes lines at once. One that cannot be written is lost: pino's own destination ends the program over it, and then
 * never comes to the end, since it tries the rest of the lines for as long as the disk is full.
 */
export function logLines(descriptor: number): DestinationStream {
  return {
    write(line) {
      let left = Buffer.from(line);
      for (let tries = 0; left.length > 0 && tries < TRIES;)
        try {
          left = left.subarray(writeSync(descriptor, left));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
          tries += 1;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, NAP);
        }
    },
  };
}
