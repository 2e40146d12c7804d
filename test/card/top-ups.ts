import { cardAccountId } from '../../contracts/events/card-account';
import { cardUserId, cardUserStream } from '../../contracts/events/card-user';
import type { TonNetwork } from '../../contracts/network/network';
import { findCardAccount, type CardAccountDocument } from '../../projections/card/accounts';
import { cardUserKind } from '../../services/card/user/decider';
import type { ProgramDeps } from '../../infra/program/feature';
import { until } from '../until';

const PUBLIC_KEY = '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c';

/** Enrols somebody with a wallet on a chain. @returns the account that is opened for it */
export async function openedAccount(
  { handle, engine, clock }: ProgramDeps,
  network: TonNetwork,
  wallet: { readonly chain: 'ton' | 'solana'; readonly address: string },
  publicKey = PUBLIC_KEY,
) {
  const userId = cardUserId(network, publicKey);
  await handle(cardUserKind, cardUserStream(userId), {
    type: 'enrol',
    userId,
    network,
    publicKey,
    isInvited: true,
    source: 'test',
    hasPlace: true,
    wallets: [{ ...wallet, version: wallet.chain === 'ton' ? 'v5r1' : null }],
    metadata: { now: clock().toISOString(), actor: userId },
  });
  const accountId = cardAccountId(userId, wallet.chain);
  const account = () => findCardAccount(engine.views, accountId);
  await until(async () => (await account()) !== null);
  const { deposit } = (await account())!;
  return {
    userId,
    accountId,
    account: account as () => Promise<CardAccountDocument>,
    /** Where it is topped up. */
    deposit: deposit!.split(':').slice(2).join(':'),
    posted: async (amount: string) => until(async () => (await account())!.balance.posted === amount),
  };
}
