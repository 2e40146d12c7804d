import type { Position } from '../../../contracts/position';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Calendar } from '../../../contracts/time/calendar';
import type { SettlementDocument } from '../../../projections/billing/settlements';
import type { Handle } from '../../commands/handle';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import type { SnapshotDeps } from '../report/snapshot';

/**
 * All settlements and rebates of a merchant are in one stream, so each command is one append per merchant, and its
 * expected revision enforces the rules: one live settlement of a month, a carried balance used once, no payment of a void
 * settlement. Reads before the append are safe because:
 *
 * - generate: reads the rule, then the merchant's sums at one position, then appends. After a concurrent settlement with
 *   newer sums or a newer rule, both are read again. Each merchant is settled separately, in any order: after a crash the
 *   next `generate` skips those that are settled and continues with the others.
 * - pay, void: the merchant of a settlement is looked up in the projection, where it never changes; the stream alone
 *   decides the command.
 */
export interface SettlementDeps extends SnapshotDeps {
  readonly store: EventStore;
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  readonly instanceId: string;
}

export interface GenerateDeps extends SettlementDeps {
  readonly calendar: Calendar;
  readonly currency: string;
  /** Decimals that a rebate is rounded to. */
  readonly currencyScale: number;
  readonly newId: () => string;
}

/** The settlements of a command, from their own events, and the position from which reads include them. */
export interface SettlementsResult {
  readonly settlements: readonly SettlementDocument[];
  readonly position: Position;
}
