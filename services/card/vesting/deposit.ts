import { cardVestingStream, vestingDepositId } from '../../../contracts/events/card-vesting';
import { cardReference, type CardTransfer } from '../../../contracts/events/card-account';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import type { CardVesting } from '../../../projections/card/vesting-state';
import { load } from '../../commands/load';
import { moveAccount, type CardMoneyDeps } from '../account/commands';
import { expectMayBuy } from '../card/order';
import type { CardMoneyRoutesDeps } from '../money-deps';
import type { CardCaller } from '../tokens/caller';
import { cardVestingKind, MAX_DEPOSITS } from './decider';

export interface VestingDeposit {
  /** Of the vesting account. */
  readonly id: string;
  /** In units of its currency. */
  readonly amount: string;
  /** The same one deposits nothing again. */
  readonly key: string;
}

/**
 * Moves money from the account of its creator to a vesting account. Sent is the decision: what a crash keeps from being deposited a job
 * deposits.
 * @returns the position of the last event
 * @throws Problem 403 `card_user_suspended`, 404 `card_account_not_found`, 409 `card_step_missing`, `card_account_state`,
 * `card_funds_insufficient`, `too_many_card_vestings`
 */
export async function depositToVesting(
  deps: Pick<CardMoneyRoutesDeps, 'store' | 'handle' | 'clock'>,
  caller: CardCaller,
  { id, amount, key }: VestingDeposit,
): Promise<Position> {
  expectMayBuy(caller);
  const vesting = await expectVesting(deps, caller, id);
  const transactionId = vestingDepositId(id, key);
  if (vesting.depositIds.length >= MAX_DEPOSITS && !vesting.depositIds.includes(transactionId))
    throw new Problem('too_many_card_vestings', `A vesting account takes at most ${MAX_DEPOSITS} deposits.`);
  const { creatorAccountId, currency } = vesting;
  const side = { cardId: null, amount, currency: currency.ticker };
  const transfer: CardTransfer = {
    from: { accountId: creatorAccountId, ...side },
    to: { accountId: id, ...side },
    rate: { units: '1', per: '1' },
  };
  const metadata = { now: deps.clock().toISOString(), actor: caller.userId };
  const outcome = await moveAccount(deps, creatorAccountId, {
    type: 'sendTransfer',
    transactionId,
    entryId: transactionId,
    cardId: null,
    transfer,
    occurredAt: metadata.now,
    metadata,
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  const isSent = outcome.events.some(({ type }) => type === 'CardTransferSent');
  // With a key that was used before nothing is sent, and what was is deposited by its job.
  return isSent ? receiveVestingDeposit(deps, transactionId, transfer) : outcome.position;
}

/** What was sent is deposited, once. @throws Error for a vesting account that does not exist */
export async function receiveVestingDeposit(
  { handle, clock }: Pick<CardMoneyDeps, 'handle'> & { readonly clock: () => Date },
  transactionId: string,
  { to: { accountId, amount } }: CardTransfer,
): Promise<Position> {
  const metadata = { now: clock().toISOString(), actor: 'card-transfers' };
  const outcome = await handle(cardVestingKind, cardVestingStream(accountId), {
    type: 'deposit',
    transactionId,
    amount,
    metadata,
  });
  if (outcome.refusal) throw new Error(`vesting account ${accountId}: ${outcome.refusal.detail}`);
  return outcome.position;
}

/** The vesting account of its creator, as it is now. @throws Problem 404 `card_account_not_found`, the same for that of another */
export async function expectVesting(
  { store }: Pick<CardMoneyDeps, 'store'>,
  { userId }: Pick<CardCaller, 'userId'>,
  vestingId: string,
): Promise<CardVesting> {
  // Of other ids there is no stream, and a server may refuse its name.
  const vesting = cardReference.safeParse(vestingId).success
    ? await load(store, cardVestingKind, cardVestingStream(vestingId))
    : null;
  if (vesting?.userId !== userId) throw new Problem('card_account_not_found', 'There is no such account.');
  return vesting;
}
