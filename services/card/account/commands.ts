import type { CommandMetadata, Refusal } from '../../../contracts/decider';
import {
  cardAccountStream,
  type CardAccountEvent,
  type CardDeclineReason,
} from '../../../contracts/events/card-account';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Position } from '../../../contracts/position';
import { cardStatus, type CardState } from '../../../projections/card/card-state';
import { isCardUserSuspended } from '../user/is-suspended';
import type { Handle, Outcome } from '../../commands/handle';
import { archivedEntries } from './archive';
import type { CardAccountCommand, CommandOf, Movement } from './command';
import { cardAccountKind } from './decider';
import type { CardAccount } from './state';

export interface CardMoneyDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
}

type MovementCommand = Extract<CardAccountCommand, Movement>;
type WithoutArchive<Command> = Command extends unknown ? Omit<Command, 'archived'> : never;

/** A message about a transaction, as the issuer or a chain says it. */
export type CardMovement = WithoutArchive<Exclude<MovementCommand, { type: 'authorise' }>> & {
  /** The transaction that a refund or a chargeback belongs to, where the issuer knows it: it is recorded with that. */
  readonly purchaseId?: string | null;
};

type AccountOutcome = Outcome<CardAccount | null, CardAccountEvent>;

/**
 * Records a message about a transaction: the same one once, whenever it is repeated, and whatever the balance. Only `chargeFee` and
 * `sendTransfer` are refused for their amount.
 * @returns a refusal for an account that does not exist
 */
export async function moveAccount(
  { store, handle }: CardMoneyDeps,
  accountId: string,
  movement: CardMovement,
): Promise<AccountOutcome> {
  const { purchaseId, ...message } = movement;
  const transactionId = purchaseId ?? movement.transactionId;
  const archived = await archivedEntries(store, accountId, transactionId);
  const command = { ...message, transactionId, archived } as MovementCommand;
  return handle(cardAccountKind, cardAccountStream(accountId), command);
}

/** Executes what is not about one transaction. */
export function changeAccount(
  { handle }: Pick<CardMoneyDeps, 'handle'>,
  accountId: string,
  command: Extract<CardAccountCommand, { type: 'open' | 'changeState' | 'changeLimits' }>,
): Promise<AccountOutcome> {
  return handle(cardAccountKind, cardAccountStream(accountId), command);
}

export type AuthorisationRequest = Omit<
  CommandOf<'authorise'>,
  'type' | 'archived' | 'blocked' | 'cardId' | 'metadata'
> & {
  readonly metadata: CommandMetadata;
};

/** The answer that the issuer waits for. It is durable: the same request has the same answer. */
export type AuthorisationAnswer =
  | { readonly approved: true; readonly accountId: string; readonly position: Position }
  | {
      readonly approved: false;
      readonly reason: CardDeclineReason;
      readonly accountId: string;
      readonly position: Position;
    };

/**
 * Decides an authorisation, or more of one, on the card, its holder and its account as they are now.
 * @param card as it was just loaded
 * @returns a refusal for an account that does not exist
 */
export async function authorise(
  { store, handle }: CardMoneyDeps,
  card: CardState,
  request: AuthorisationRequest,
): Promise<AuthorisationAnswer | { readonly refusal: Refusal }> {
  const { transactionId, entryId, isIncrement } = request;
  const { accountId, cardId, userId } = card;
  const [archived, isSuspended] = await Promise.all([
    archivedEntries(store, accountId, transactionId),
    isCardUserSuspended(store, userId),
  ]);
  const blocked = blockedBy(card) ?? (isSuspended ? 'user_suspended' : null);
  const outcome = await handle(cardAccountKind, cardAccountStream(accountId), {
    ...request,
    type: 'authorise',
    cardId,
    archived,
    blocked,
  });
  if (outcome.refusal) return { refusal: outcome.refusal };
  const { state, position } = outcome;
  const entries = state!.transactions[transactionId]?.entries ?? archived;
  const answer =
    entries.find(({ id }) => id === entryId) ??
    entries.find(({ kind }) => !isIncrement && (kind === 'authorised' || kind === 'declined'));
  if (answer?.kind !== 'declined') return { approved: true, accountId, position };
  return { approved: false, reason: answer.reason!, accountId, position };
}

/** Why a card may not be used; null when it may. */
function blockedBy(card: CardState): CardDeclineReason | null {
  switch (cardStatus(card)) {
    case 'ACTIVE':
      return null;
    case 'PENDING_FREEZE':
    case 'FROZEN':
    case 'PENDING_UNFREEZE':
      return 'card_frozen';
    case 'PENDING_BLOCK':
    case 'BLOCKED':
      return 'card_blocked';
    case 'CLOSED':
      return 'card_closed';
    default:
      return 'card_not_active';
  }
}
