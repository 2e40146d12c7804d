import type { CardVestingView } from '../../../contracts/http/card/fields';
import { accountKey } from '../../../contracts/network/network';
import { nextPayoutAt, payoutsRemaining, vestingBalance } from '../../../projections/card/vesting-schedule';
import type { CardVesting } from '../../../projections/card/vesting-state';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { addressOf, CONTRACT } from '../list/account-view';

/** After the accounts of chains and of prepaid cards. */
const ACCOUNT_INDEX = 3;

/** Vesting accounts as wallets list them, in the same order. */
export async function vestingViews(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  vestings: readonly CardVesting[],
): Promise<CardVestingView[]> {
  const names = await texts.decryptAll(vestings.map(({ beneficiary }) => beneficiary.name));
  // Empty once it was erased.
  return vestings.map((vesting, index) => vestingView(vesting, names[index] ?? ''));
}

function vestingView(vesting: CardVesting, beneficiaryName: string): CardVestingView {
  const { owner, network, currency, beneficiary, deposited } = vesting;
  const remaining = payoutsRemaining(vesting);
  return {
    id: vesting.vestingId,
    type: 'vesting',
    accountIndex: ACCOUNT_INDEX,
    seed: null,
    contract: CONTRACT,
    ownerAddress: addressOf(accountKey(owner))!,
    state: 'ACTIVE',
    balance: vestingBalance(vesting).toString(),
    network: owner.chain === 'ton' ? `ton-${network}` : 'solana',
    cryptoCurrency: {
      decimals: currency.decimals,
      ticker: currency.ticker,
      ...(currency.tokenContract !== null && { tokenContract: currency.tokenContract }),
    },
    createdAt: vesting.createdAt,
    hasBeenDepositedOnce: deposited !== '0',
    beneficiaryAddress: addressOf(accountKey(beneficiary.owner))!,
    beneficiaryCryptoAccountId: beneficiary.accountId,
    beneficiaryName,
    creatorAccountId: vesting.creatorAccountId,
    totalDeposited: deposited,
    totalPaidOut: vesting.paidOut,
    unlockAmountPerPeriod: vesting.unlockAmountPerPeriod,
    unlockPeriodSeconds: String(vesting.unlockPeriodSeconds),
    estimatedPayoutsRemaining: Math.min(Number(remaining), Number.MAX_SAFE_INTEGER),
    nextPayoutAt: nextPayoutAt(vesting),
    startPaymentsAt: vesting.startPaymentsAt,
    cards: [],
  };
}
