import { againstExpress } from '../against-express';
import { CARD_READS } from '../fill/requests';
import type { Row } from '../row';

/** Ratio to bare Express with the same body, which does not change. */
const GOAL = { of: 'ratio', atLeast: 0.75 } as const;

/**
 * What a card holder is, its accounts with three cards, and what has happened to one of these, while ten purchases a second are
 * authorised by another process. The cost of folding these is included.
 */
export const row: Row = setting =>
  againstExpress({
    setting,
    wanted: read => CARD_READS.includes(read),
    named: read => `${read}, 10 changes/s`,
    goal: GOAL,
    beside: ({ card }) => ['programs/change-cards', card.cardId],
  });
