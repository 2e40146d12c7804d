import { shareOf } from '../../../contracts/bound';
import { IssuerUnavailable, type CardIssuer } from '../../../contracts/card-issuer/issuer';
import type { CallingHolder } from '../tokens/caller';
import { createFairSemaphore, TooManyWaiting } from '../../../contracts/fair-semaphore';

/** For card holders, in a process, beside what the issuer is told by jobs. */
export const ISSUER_CALLS = 8;
export const MAX_WAITING_ISSUER_CALLS = 400;

/**
 * Asks the issuer while a card holder waits: holders take turns, each with what it has asked for first. One holder, and all
 * of one address, have a quarter of what is asked at a time.
 * @throws IssuerUnavailable also when too much waits, of which the holder has most; IssuerRefused; the reason of the signal
 */
export type AskIssuer = <Answer>(
  { userId, address }: Pick<CallingHolder, 'userId' | 'address'>,
  ask: (issuer: CardIssuer) => Promise<Answer>,
  signal: AbortSignal,
) => Promise<Answer>;

export function createAskIssuer(issuer: () => Promise<CardIssuer>): AskIssuer {
  const semaphore = createFairSemaphore({
    maxConcurrent: ISSUER_CALLS,
    maxWaiting: MAX_WAITING_ISSUER_CALLS,
    share: shareOf(ISSUER_CALLS),
  });
  return async ({ userId, address }, ask, signal) => {
    try {
      return await semaphore.run(
        { caller: userId, target: () => address },
        async () => ask(await issuer()),
        signal,
      );
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      throw new IssuerUnavailable('too many calls wait', { cause: error });
    }
  };
}
