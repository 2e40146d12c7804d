import { cardTokenStream } from '../../../contracts/events/card-token';
import type { TonNetwork } from '../../../contracts/network/network';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { CARD_TOKENS } from '../../../projections/card/tokens';
import { CARD_USERS } from '../../../projections/card/users';
import type { CardDeps } from '../deps';
import { cardTokenKind } from './decider';
import { digestOfToken, newCardToken } from './digest';

interface Holder {
  readonly userId: string;
  readonly network: TonNetwork;
  readonly epoch: number;
  readonly source: string;
}

/**
 * Issues a token, and waits a bounded time until reads include it and what was recorded of the user before.
 * @returns the token
 */
export async function issueCardToken(
  { handle, views, clock, waitMs }: CardDeps,
  holder: Holder,
  userPosition: Position,
): Promise<string> {
  const token = newCardToken();
  const digest = digestOfToken(token);
  const outcome = await handle(cardTokenKind, cardTokenStream(digest), {
    type: 'issue',
    digest,
    ...holder,
    metadata: { now: clock().toISOString(), actor: holder.userId },
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  // It is issued, whatever becomes of the waits: who is not in the documents is read from the streams.
  await Promise.allSettled([
    views.waitForPosition(CARD_TOKENS.name, outcome.position, waitMs),
    views.waitForPosition(CARD_USERS.name, userPosition, waitMs),
  ]);
  return token;
}
