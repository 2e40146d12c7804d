import { z } from 'zod';
import { CARD_USER_CATEGORY, cardUserEvents } from '../../../contracts/events/card-user';
import { cardAccountId, type CardLimits } from '../../../contracts/events/card-account';
import { cardDepositStream } from '../../../contracts/events/card-deposit';
import {
  SOLANA_BESIDE,
  TON_NETWORKS,
  type AccountRef,
  type TonNetwork,
} from '../../../contracts/network/network';
import { ATTEMPTS_FOR_A_WEEK, type Jobs } from '../../../contracts/ports/jobs';
import type { Handle } from '../../commands/handle';
import type { Reaction } from '../../reactions/event-reaction';
import { cardDepositKind } from '../deposit/decider';
import type { DepositAddressOf } from '../deposit/deposit-address';
import { changeAccount } from './commands';

export const CARD_OPENINGS = 'card-openings';

const CHAINS = ['ton', 'solana'] as const;

const openingJob = z.object({
  userId: z.string(),
  network: z.enum(TON_NETWORKS),
  chain: z.enum(CHAINS),
  /** Of the wallet. */
  address: z.string(),
});
type OpeningJob = z.output<typeof openingJob>;

/** Starts a job for each wallet that is connected: its chain gets an account. */
export const cardOpenings: Reaction = {
  name: CARD_OPENINGS,
  categories: [CARD_USER_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = cardUserEvents.read(recorded);
    if (type !== 'CardUserWalletConnected') return [];
    const { userId, network, chain, address } = data;
    const job: OpeningJob = { userId, network, chain, address };
    return [{ queue: CARD_OPENINGS, id: `${userId}/${chain}`, data: job, attempts: ATTEMPTS_FOR_A_WEEK }];
  },
};

/** Both chains count in 10^-9. */
const CURRENCIES = {
  ton: { ticker: 'TON', decimals: 9, tokenContract: null },
  solana: { ticker: 'SOL', decimals: 9, tokenContract: null },
} as const;

/** Until their holder changes them. */
const LIMITS: Readonly<Record<AccountRef['chain'], CardLimits>> = {
  ton: { onetime: '500000000000', daily: '1000000000000', monthly: '10000000000000' },
  solana: { onetime: '10000000000', daily: '20000000000', monthly: '200000000000' },
};

export interface OpeningDeps {
  readonly handle: Handle;
  readonly depositAddress: DepositAddressOf;
  readonly clock: () => Date;
  /** Of cards: ISO 4217. */
  readonly fiatCurrency: string;
  /** Whether nothing of the network is real. */
  isSandbox(network: TonNetwork): boolean;
}

/** Opens the account of a user on a chain, once: the first wallet of it that is connected owns it. */
export async function openAccount(
  { handle, depositAddress, clock, fiatCurrency, isSandbox }: OpeningDeps,
  { userId, network, chain, address }: OpeningJob,
): Promise<void> {
  const accountId = cardAccountId(userId, chain);
  const metadata = { now: clock().toISOString(), actor: 'card-openings' };
  const deposit = depositAddress(accountId, chain, network);
  // First the address, so that no payment to one that is shown is overlooked.
  await handle(cardDepositKind, cardDepositStream(deposit), {
    metadata,
    deposit: { address: deposit, accountId, network, userId },
  });
  const owner: AccountRef =
    chain === 'ton' ? { chain, network, address } : { chain, network: SOLANA_BESIDE[network], address };
  await changeAccount({ handle }, accountId, {
    type: 'open',
    account: {
      accountId,
      network,
      userId,
      kind: 'crypto',
      accountIndex: CHAINS.indexOf(chain),
      name: null,
      owner,
      deposit,
      currency: { ...CURRENCIES[chain] },
      fiatCurrency,
      tzOffset: 0,
      limits: LIMITS[chain],
      state: 'ACTIVE',
      sandbox: isSandbox(network),
    },
    metadata,
  });
}

/** Opens accounts until the signal. */
export function workOpenings(
  deps: OpeningDeps & { readonly jobs: Pick<Jobs, 'work'> },
  signal: AbortSignal,
): Promise<void> {
  return deps.jobs.work({ queue: CARD_OPENINGS, signal }, ({ data }) =>
    openAccount(deps, openingJob.parse(data)),
  );
}
