import { z } from 'zod';
import { tonElection } from '../../chain/ton-elections';
import { endpoint } from '../endpoint';
import { tonOfPath, walletNetwork } from './fields';

const group = 'TON: transactions, status, configuration, contracts';
const errors = ['source_wrong_network'] as const;

/** Wallets call the test network `sandbox` where they ask for elections, and `testnet` where they ask for the APY. */
const params = z.object({ network: walletNetwork });
const nanotons = z.string().regex(/^\d+$/).meta({ description: 'Nanotons, decimal' });
const examples = [{ params: { network: 'mainnet' } }];

export const latestElections = endpoint({
  group,
  method: 'GET',
  path: '/net/{network}/elections/latest',
  summary: 'The latest validator elections whose validators are known, including the next round',
  examples,
  params,
  response: z.object({
    elections: z.array(z.int()).meta({ description: 'Their ids, at most 20, oldest first' }),
    openElection: z.int().nullable().meta({ description: 'The election that currently accepts stakes' }),
    currentElection: z.int().meta({ description: 'The election of the current validators' }),
  }),
  errors,
  needs: tonOfPath,
});

export const electionById = endpoint({
  group,
  method: 'GET',
  path: '/net/{network}/elections/{id}',
  operationId: 'getNetElection',
  summary: 'One election; its `bonuses` grow until its round ends',
  examples: [{ params: { network: 'mainnet', id: '1760448264' } }],
  params: params.extend({
    id: z
      .string()
      .regex(/^\d{1,10}$/, 'must be the id of an election, Unix seconds')
      .meta({ description: 'One of the `elections` of `/net/{network}/elections/latest`' })
      .transform(Number),
  }),
  response: z.object({ election: tonElection }),
  errors: [...errors, 'election_not_found'],
  needs: tonOfPath,
});

export const latestElectionsApy = endpoint({
  group,
  method: 'GET',
  path: '/net/{network}/elections/latest/apy',
  summary:
    'Yearly yield of a validator in percent, at the rate of the last finished round; 0 before one has finished',
  examples,
  params,
  response: z.object({
    apy: z.string().regex(/^\d+\.\d{4}$/),
    electionId: z
      .int()
      .nullable()
      .meta({ description: 'The election whose round it is computed from; null before one has ended' }),
    of: z
      .object({
        seqno: z.int().nullable().meta({ description: 'The block as of which the election was read' }),
        totalStake: nanotons,
        bonuses: nanotons,
        roundSeconds: z.int(),
      })
      .nullable()
      .meta({ description: 'What it is computed from' }),
    formula: z.string(),
  }),
  errors,
  needs: tonOfPath,
});
