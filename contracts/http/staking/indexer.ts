import { z } from 'zod';
import { accountsOfOneNetwork, networkOf, tonAccount } from '../../account/ton-account';
import { endpoint } from '../endpoint';
import { LOCAL } from '../local-accounts';
import { isTestnet, tonAddress } from '../ton/fields';
import { STAKING } from './member';

/** Wallets ask for a week, a month, a year, or name none, which is all. */
export const PERIODS = ['day', 'week', 'month', 'year', 'all'] as const;
export type Period = (typeof PERIODS)[number];

const fixedPeriod = z.enum(PERIODS).optional().meta({ description: 'Up to now; default: all' });

const nanotons = z.string().regex(/^\d+$/).meta({ description: 'Nanotons, decimal' });
const balance = z
  .string()
  .regex(/^-?\d+$/)
  .meta({ description: 'Nanotons, decimal; below zero for a loss' });
const perCoin = z
  .string()
  .regex(/^-?\d+$/)
  .meta({ description: 'In 10^13ths of a coin, decimal' });
const percent = z
  .string()
  .regex(/^-?\d+\.\d{5}$/)
  .meta({ description: 'Percent a year' });
const seqno = z.int().meta({ description: 'A block of the masterchain' });
const round = z
  .int()
  .meta({ description: 'Start of the round in Unix seconds, which is the id of its election' });
const errors = ['network_mismatch', 'source_wrong_network', 'rate_limited'] as const;

const apyOfRound = z.object({
  poolApy: percent.meta({
    description: 'Percent a year: what nominators have earned, after the fee of the pool',
  }),
  globalApy: percent.meta({ description: 'Percent a year: what all validators have earned, before any fee' }),
  time: z.iso.datetime().meta({ description: 'When the stake came back' }),
  round,
  before: z
    .object({
      seqno,
      profitPerCoin: perCoin,
      balance: nanotons,
      sent: nanotons,
      poolFee: z.int(),
      ownStake: nanotons,
    })
    .meta({
      description:
        'The pool before it took its stake back; `poolFee` in hundredths of a percent, `ownStake` what of the balance is the owner’s',
    }),
  after: z.object({ seqno, profitPerCoin: perCoin, balance: nanotons, lt: z.string() }).meta({
    description:
      'The pool after that, `lt` of its newest transaction; donations of the same block are in it, and not in `perCoin`',
  }),
  election: z.object({
    seqno,
    totalStake: nanotons,
    bonuses: nanotons,
    electedFor: z.int().meta({ description: 'Seconds' }),
  }),
  profit: balance.meta({
    description: 'Nanotons that the round has brought to the pool; below zero for a loss',
  }),
  surplus: nanotons.meta({
    description: 'What of it somebody has added when the stake was asked for, which is no yield',
  }),
  perCoin: perCoin.meta({
    description: 'What the round has brought to each coin of a nominator, without the surplus',
  }),
  missedRounds: z
    .int()
    .meta({ description: 'Rounds before it, up to the one of the entry before, that could not be read' }),
  formula: z.object({ poolApy: z.string(), globalApy: z.string() }),
});
export type ApyOfRound = z.output<typeof apyOfRound>;

export const stakingPoolApy = endpoint({
  group: STAKING,
  method: 'POST',
  path: '/staking-indexer/indexer/pool/apy',
  operationId: 'getStakingPoolApy',
  summary:
    'What each round of a nominator pool has yielded, oldest first, and the observations that it follows from; empty for a pool without a round that has ended, and for one that is not followed',
  examples: [{ body: { address: LOCAL.stakingPool, fixedPeriod: 'week' } }],
  body: z.object({ address: tonAddress, fixedPeriod, isTestnet }),
  response: z.array(apyOfRound),
  errors,
  needs: ({ body }) => [tonAccount(body.address, networkOf(body.isTestnet), '/body/isTestnet')],
});

const time = z.iso.datetime();
const movement = z.object({
  amount: nanotons.meta({ description: 'Nanotons, decimal, without fees' }),
  time: time.meta({ description: 'When the pool took or paid it' }),
  trigger: z
    .enum(['payload', 'comment'])
    .meta({ description: 'Whether it was asked for by a binary message or by a text' }),
});

const nominator = z.object({
  profitAmount: balance.meta({ description: 'Since the first deposit, exact; nanotons, decimal' }),
  totalDepositAmount: nanotons.meta({ description: 'Since the first deposit; nanotons, decimal' }),
  totalWithdrawAmount: nanotons.meta({
    description: 'What was paid since the first deposit; nanotons, decimal',
  }),
  profitByTimespan: balance.nullable().meta({
    description: 'Since the last round before the period; null where that round could not be read',
  }),
  deposits: z.array(movement).meta({ description: 'Of the period, oldest first, as the next ones' }),
  withdraws: z.array(movement),
  profits: z.array(
    z.object({
      amount: balance,
      time: time.meta({ description: 'When the stake of the round came back' }),
      round,
      seqno,
      rounds: z
        .int()
        .meta({ description: 'How many rounds it is of: more than 1 where earlier ones could not be read' }),
    }),
  ),
  roundsKnownSince: time.nullable().meta({
    description:
      'The first round of which it is known what the account had after it; null while there is none',
  }),
  balance: nanotons,
  pendingDeposit: nanotons,
  pendingWithdraw: nanotons,
  withdraw: nanotons.meta({ description: 'Nanotons, decimal, that are ready to be withdrawn' }),
  seqno: seqno.nullable().meta({ description: 'The masterchain block as of which all of it is' }),
  at: z.iso.datetime().meta({ description: 'When that was read from the chain' }),
  formula: z.string(),
});
export type NominatorAnswer = z.output<typeof nominator>;

const nominatorResponse = z.object({
  nominator: nominator.nullable(),
  isFollowed: z.boolean().meta({ description: 'Whether the pool is one of those that are followed' }),
});
export type NominatorResponse = z.output<typeof nominatorResponse>;

export const stakingNominator = endpoint({
  group: STAKING,
  method: 'POST',
  path: '/staking-indexer/indexer/nominator',
  operationId: 'getStakingNominator',
  summary:
    'What an account has put into a nominator pool, was paid by it, and has earned there, as of one block; null where it has moved nothing, and for a pool that is not followed',
  examples: [{ body: { pool: LOCAL.stakingPool, addr: LOCAL.dave } }],
  body: z.object({ pool: tonAddress, addr: tonAddress, fixedPeriod, isTestnet }),
  response: nominatorResponse,
  watches: true,
  errors,
  needs: ({ body }) =>
    accountsOfOneNetwork([body.addr, body.pool], networkOf(body.isTestnet), '/body/isTestnet').slice(0, 1),
});
