import { z } from 'zod';
import { networkOf, tonAccount } from '../../account/ton-account';
import { endpoint } from '../endpoint';
import { LOCAL } from '../local-accounts';
import { isTestnet, tonAddress, tonOfPath, walletNetwork } from '../ton/fields';

const group = 'Staked USDe';

const params = z.object({ network: walletNetwork });
const examples = [{ params: { network: 'mainnet' } }];
const units = z.string().regex(/^\d+$/);

const priceFields = {
  seqno: z.int().meta({ description: 'The masterchain block that it was read at' }),
  time: z.iso.datetime().meta({ description: 'When that block was made, by the clock of the chain' }),
};
const usdeRate = z.number().positive().meta({ description: 'USDe that one tsUSDe is worth' });

export const stakedUsdeRate = endpoint({
  group,
  method: 'GET',
  path: '/usde/{network}/rate',
  operationId: 'getUsdeRate',
  summary: 'What one tsUSDe is worth in USDe, as last read from the vault; 503 before the first reading',
  examples,
  params,
  response: z.object({ usdeRate, ...priceFields }),
  errors: ['source_wrong_network'],
  needs: tonOfPath,
});

const observedPrice = z.object({ usdeRate, ...priceFields });

export const stakedUsdeApy = endpoint({
  group,
  method: 'GET',
  path: '/usde/{network}/apy',
  operationId: 'getUsdeApy',
  summary:
    'What staked USDe earns in a year, in percent, at the rate between two observations of the price of a share; 503 before there are two that are a day apart',
  examples,
  params,
  response: z.object({
    apy: z
      .string()
      .regex(/^-?\d+\.\d{4}$/)
      .meta({ description: 'Percent' }),
    from: observedPrice.meta({
      description: 'The earlier observation: a week before the later one, or a day at least',
    }),
    to: observedPrice.meta({ description: 'The later observation' }),
    formula: z.string(),
  }),
  errors: ['source_wrong_network'],
  needs: tonOfPath,
});

export const stakedUsdeMember = endpoint({
  group,
  method: 'POST',
  path: '/usde/staking/member/liquid/info',
  operationId: 'getUsdeMember',
  summary:
    'How much USDe an account has staked, and what it is waiting for; null for one that never had tsUSDe',
  examples: [{ body: { address: LOCAL.issuer, isTestnet: false } }],
  body: z.object({
    address: tonAddress,
    isTestnet,
  }),
  response: z
    .object({
      balance: units.meta({ description: 'Units of tsUSDe, of which 10^6 are one' }),
      owner: z.string(),
      minter: z.string().meta({ description: 'The jetton master of tsUSDe' }),
      timeLocked: z
        .object({
          balance: units.meta({ description: 'Units of USDe that will be paid' }),
          limit: units.meta({ description: 'When they can be claimed, Unix seconds' }),
        })
        .nullable()
        .meta({ description: 'What was unstaked and is not claimed; null when that is nothing' }),
      at: z.iso.datetime().meta({ description: 'When it was read from the chain' }),
    })
    .nullable(),
  errors: ['network_mismatch', 'source_wrong_network', 'rate_limited'],
  needs: ({ body: { address, isTestnet } }) => [tonAccount(address, networkOf(isTestnet), '/body/isTestnet')],
});
