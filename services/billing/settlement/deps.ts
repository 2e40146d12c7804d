import type { Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { SettlementDocument } from '../../../projections/billing/settlements';
import type { Handle } from '../../handle';
import type { PersonalTexts } from '../../personal-text';
import type { SnapshotDeps } from '../snapshot';

/**
 * All settlements and rebates of a merchant lie in one stream, so each command is one append for each merchant and its
 * expected revision is all that guards it: one live settlement of a month, a carried balance taken in once, no payment of
 * what was voided. Nothing can break off half-way through a merchant. What is read before the append is made safe so:
 *
 * - generate: the rule, then the merchant's sums at one position, then the append. Sums or rules older than those of a
 *   settlement that got there first are read again. Of all merchants each is settled by itself, in any order: broken off
 *   between two of them, the next `generate` passes over those that are settled and goes on with the others.
 * - pay, void: which merchant's stream it is, is looked up in the projection; it never changes, and the stream alone
 *   decides what comes of the command.
 */
export interface SettlementDeps extends SnapshotDeps {
  readonly store: EventStore;
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  readonly instanceId: string;
}

export interface GenerateDeps extends SettlementDeps {
  readonly currency: string;
  /** Decimals that a rebate is rounded to. */
  readonly currencyScale: number;
  readonly newId: () => string;
}

/** What a command answers: the settlements it was about, from their own events, and the position to read them from. */
export interface SettlementsDone {
  readonly settlements: readonly SettlementDocument[];
  readonly position: Position;
}
