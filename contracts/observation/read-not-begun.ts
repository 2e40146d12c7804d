import { Problem } from '../problem/problem';

const RETRY_AFTER_SECONDS = 2;

/** A read that still waits for its turn: it says nothing about the source. */
export class ReadNotBegun extends Problem {
  constructor() {
    super('not_ready', 'Many reads of the source wait for their turn; try again.', {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}
