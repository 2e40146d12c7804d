import { hasShareLeft } from '../../../contracts/bound';
import type { z } from 'zod';
import { cardVestingId, cardVestingStream } from '../../../contracts/events/card-vesting';
import type { createCardVesting } from '../../../contracts/http/card/vesting';
import { accountOfKey } from '../../../contracts/network/network';
import type { Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { findCardAccount, type CardAccountDocument } from '../../../projections/card/accounts';
import { findCardVestings } from '../../../projections/card/vestings';
import { load } from '../../commands/load';
import { expectMayBuy } from '../card/order';
import { expectAccount } from '../list/holdings';
import type { CardMoneyRoutesDeps } from '../money-deps';
import type { CardCaller } from '../tokens/caller';
import { cardVestingKind, MAX_RECEIVED_VESTINGS } from './decider';

type Given = z.output<NonNullable<typeof createCardVesting.body>>;

/**
 * Opens a vesting account that is paid for from an account of the caller; with the same key it is the same one.
 * @throws Problem 400 `card_vesting_invalid`, 403 `card_user_suspended`, 404 `card_account_not_found`, 409 `card_step_missing`,
 * `card_account_state`, `too_many_card_vestings`
 */
export async function createVesting(
  deps: CardMoneyRoutesDeps,
  caller: CardCaller,
  given: Given,
): Promise<{ readonly vestingId: string; readonly position: Position | null }> {
  const { store, views, texts, handle, clock } = deps;
  expectMayBuy(caller);
  const account = await expectAccount(deps, caller, given.id);
  if (account.state !== 'ACTIVE')
    throw new Problem(
      'card_account_state',
      `An account that is ${account.state} creates no vesting account.`,
    );
  const vestingId = cardVestingId(given.id, given.key);
  const stream = cardVestingStream(vestingId);
  if (await load(store, cardVestingKind, stream)) return { vestingId, position: null };
  const beneficiary = await expectBeneficiary(deps, account, given.beneficiaryCryptoAccountId);
  const { userId, network } = caller;
  const metadata = { now: clock().toISOString(), actor: userId };
  const outcome = await handle(cardVestingKind, stream, {
    type: 'open',
    vesting: {
      vestingId,
      network,
      userId,
      creatorAccountId: given.id,
      owner: accountOfKey(account.owner),
      beneficiary: {
        accountId: beneficiary.accountId,
        userId: beneficiary.userId,
        owner: accountOfKey(beneficiary.owner),
        name: await texts.encrypt(userId, given.beneficiaryName),
      },
      currency: account.currency,
      unlockAmountPerPeriod: given.unlockAmountPerPeriod,
      unlockPeriodSeconds: given.unlockPeriodSeconds,
      startPaymentsAt: given.startPaymentsAt ?? metadata.now,
      sandbox: deps.isSandbox(network),
    },
    all: (await findCardVestings(views, { userId })).length,
    hasPlace: await hasPlaceAt(views, beneficiary.userId, userId),
    metadata,
  });
  if (outcome.refusal) throw Problem.of(outcome.refusal);
  return { vestingId, position: outcome.position };
}

/** Whether one more of the creator may pay to the beneficiary. Its own need no place. */
async function hasPlaceAt(
  views: CardMoneyRoutesDeps['views'],
  beneficiaryUserId: string,
  creatorUserId: string,
): Promise<boolean> {
  if (beneficiaryUserId === creatorUserId) return true;
  const creators = (await findCardVestings(views, { beneficiaryUserId }))
    .map(({ userId }) => userId)
    .filter(userId => userId !== beneficiaryUserId);
  const own = creators.filter(userId => userId === creatorUserId);
  return hasShareLeft(MAX_RECEIVED_VESTINGS, creators.length, own.length);
}

/** An account in the same currency, which may be the creator's own. @throws Problem 404 `card_account_not_found` */
async function expectBeneficiary(
  { views }: Pick<CardMoneyRoutesDeps, 'views'>,
  creator: CardAccountDocument,
  accountId: string,
): Promise<CardAccountDocument> {
  const found = await findCardAccount(views, accountId);
  const isPayable =
    found?.kind === 'crypto' &&
    found.state === 'ACTIVE' &&
    found.network === creator.network &&
    found.currency.ticker === creator.currency.ticker &&
    found.currency.tokenContract === creator.currency.tokenContract;
  if (!isPayable)
    throw new Problem('card_account_not_found', 'There is no such account in the currency of the other.');
  return found;
}
