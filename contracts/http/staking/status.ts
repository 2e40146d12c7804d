import { z } from 'zod';
import { endpoint } from '../endpoint';
import { tonOfPath, walletNetwork } from '../ton/fields';
import { STAKING } from './member';

const milliseconds = z.int().meta({ description: 'Milliseconds' });
const seconds = z.int().meta({ description: 'Seconds' });
const unixSeconds = z.int().meta({ description: 'Unix seconds' });
const nanotons = z.string().regex(/^\d+$/).meta({ description: 'Nanotons, decimal' });
const hash = z.string().meta({ description: 'Base64 of 32 bytes' });
const address = z.string();

/** Wallets use it without a check of its members: all of them are there, or it is an error. */
const status = z.object({
  validatorsElectedFor: milliseconds,
  electorsStartBefore: milliseconds,
  electorsEndBefore: milliseconds,
  stakeHeldFor: seconds,
  startWorkTime: z.int().meta({ description: 'Start of the present round, Unix milliseconds' }),
  minStake: nanotons,
  maxStake: nanotons,
  minValidators: z.int(),
  maxValidators: z.int(),
  maxMainValidators: z.int(),
  validationFrom: unixSeconds,
  validationUntil: unixSeconds,
  bonuses: nanotons.meta({ description: 'Of the present round, so far; nanotons, decimal' }),
  electionEntities: z
    .array(z.object({ key: hash, amount: nanotons, address, adnl: hash }))
    .meta({ description: 'Who has a stake in the election that is open; empty between elections' }),
  validators: z.array(
    z.object({ key: z.int(), weight: z.string(), address, stake: nanotons, adnl: hash.nullable() }),
  ),
  complaints: z.array(z.never()).meta({ description: 'Always empty: they are not read' }),
  electionsHistory: z
    .array(
      z.object({
        id: unixSeconds,
        unfreezeAt: unixSeconds,
        stakeHeld: seconds,
        bonuses: nanotons,
        totalStake: nanotons,
      }),
    )
    .meta({ description: 'Newest first; among them the two rounds before the present one' }),
  seqno: z.int().nullable().meta({ description: 'The masterchain block as of which it was read' }),
  at: z.iso.datetime().meta({ description: 'When it was read from the chain' }),
});
export type StakingStatus = z.output<typeof status>;

const response = z.object({ status: z.object({ data: status }) });
const summary = 'Validators, the election that is open, and the rounds so far: all of it, or an error';
const errors = ['source_wrong_network'] as const;

/** Wallets ask for `/status/` of the host, with the slash. */
export const stakingStatus = endpoint({
  group: STAKING,
  method: 'GET',
  path: '/staking-indexer/status',
  operationId: 'getMainnetStakingStatus',
  summary: `${summary}. Of mainnet`,
  examples: [{}],
  response,
  errors,
  needs: () => [{ chain: 'ton', network: 'mainnet' }],
});

export const stakingStatusOfNetwork = endpoint({
  group: STAKING,
  method: 'GET',
  path: '/staking-indexer/status/{network}',
  operationId: 'getStakingStatus',
  summary,
  examples: [{ params: { network: 'mainnet' } }],
  params: z.object({ network: walletNetwork }),
  response,
  errors,
  needs: tonOfPath,
});
