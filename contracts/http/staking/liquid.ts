import { z } from 'zod';
import { networkOf, tonAccount } from '../../account/ton-account';
import { endpoint } from '../endpoint';
import { LOCAL } from '../local-accounts';
import { isTestnet, tonAddress, tonOfPath, walletNetwork } from '../ton/fields';
import { STAKING } from './member';

const amount = z.string().regex(/^\d+$/);
const nanotons = amount.meta({ description: 'Nanotons, decimal' });
const unixSeconds = z.int().min(0).meta({ description: 'Unix seconds' });

/** When it was read, and as of which block. */
const reading = {
  seqno: z.int().nullable().meta({ description: 'The masterchain block as of which it was read' }),
  at: z.iso.datetime().meta({ description: 'When it was read from the chain' }),
};

/** Wallets refuse an answer that lacks any of these members, and read each text as an integer. */
const liquidPoolInfo = z.object({
  rateDeposit: amount.meta({ description: 'wsTON for one TON, in billionths' }),
  rateWithdraw: amount.meta({ description: 'TON for one wsTON, in billionths' }),
  roundId: z.int().meta({ description: 'The present round of the pool' }),
  extras: z.object({
    minStake: nanotons,
    depositFee: nanotons,
    withdrawFee: nanotons,
    receiptPrice: nanotons,
    address: z.string().meta({ description: 'The pool, which is the jetton master of wsTON' }),
    enabled: z.boolean().meta({ description: 'Whether the pool takes deposits' }),
    upgradable: z.boolean(),
    poolFee: z.int().meta({ description: 'Of what is earned, in hundredths of a percent' }),
    roundEnd: unixSeconds.meta({
      description: 'When the present round ends by parameters 15 and 34, Unix seconds; never in the past',
    }),
    proxyZeroStakeUntil: unixSeconds.meta({
      description: 'Until when the first proxy has staked, Unix seconds; 0 where it has no stake',
    }),
    proxyOneStakeUntil: unixSeconds.meta({
      description: 'Until when the second proxy has staked, Unix seconds; 0 where it has no stake',
    }),
    proxyStakeUntil: unixSeconds.meta({ description: 'The smaller of the two' }),
  }),
  balances: z.object({
    minterSupply: amount.meta({ description: 'Units of wsTON, of which 10^9 are one' }),
    totalBalance: nanotons.meta({ description: 'Nanotons, decimal, that all wsTON are worth' }),
    totalSent: nanotons.meta({ description: 'Nanotons, decimal, of these that are staked' }),
    totalPendingWithdraw: nanotons.meta({ description: 'Nanotons, decimal, that are owed' }),
    totalBalanceWithdraw: nanotons.meta({
      description: 'Nanotons, decimal, that are owed too, and set aside',
    }),
  }),
  ...reading,
});
export type LiquidPoolInfo = z.output<typeof liquidPoolInfo>;

export const stakingLiquidPool = endpoint({
  group: STAKING,
  method: 'GET',
  path: '/staking/{network}/pool/liquid/info',
  operationId: 'getLiquidStakingPool',
  summary:
    'Rates, fees, rounds and balances of the liquid pool, as last read; null where the network has none, 503 before the first reading',
  examples: [{ params: { network: 'mainnet' } }],
  params: z.object({ network: walletNetwork }),
  response: liquidPoolInfo.nullable(),
  errors: ['source_wrong_network'],
  needs: tonOfPath,
});

const liquidMemberInfo = z.object({
  balance: amount.meta({ description: 'Units of wsTON, of which 10^9 are one' }),
  owner: z.string(),
  master: z.string().meta({ description: 'The pool' }),
  code: z.string().meta({ description: 'Base64 of a BoC: the code of the wallet of wsTON' }),
  pendingWithdrawals: z.record(z.string().regex(/^\d{1,10}$/), nanotons).meta({
    description:
      'By the round in which they were withdrawn; what was withdrawn in a round can be collected from the third round after it on',
  }),
  ...reading,
});

export const stakingLiquidMember = endpoint({
  group: STAKING,
  method: 'POST',
  path: '/staking/member/liquid/info',
  operationId: 'getLiquidStakingMember',
  summary:
    'What an account has in the liquid pool, and what it has withdrawn and not collected; null for one that never had wsTON',
  examples: [{ body: { isTestnet: false, address: LOCAL.bob } }],
  body: z.object({
    address: tonAddress,
    isTestnet,
  }),
  response: liquidMemberInfo.nullable(),
  watches: true,
  errors: ['network_mismatch', 'source_wrong_network', 'rate_limited'],
  needs: ({ body: { address, isTestnet } }) => [tonAccount(address, networkOf(isTestnet), '/body/isTestnet')],
});
