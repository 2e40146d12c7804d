import { TON_NETWORKS } from '../../../contracts/network/network';
import { MAX_CONCURRENT_CALLS } from '../../engines/failover';
import { MAX_ANSWER_BYTES } from '../../engines/ton-client/ton-client';
import { CONTRACT_READS, STORED_CONTRACTS } from '../../../contracts/http/ton/contracts';
import { z } from 'zod';
import { NOMINATOR_POOLS } from '../../../contracts/chain/ton-verified-contracts';
import type { TonNetwork } from '../../../contracts/network/network';
import { parseTonAddress } from '../../../contracts/account/address';
import { tonAddress } from '../../../contracts/http/ton/fields';
import { tonContractObservation, unreadTonContract } from '../../../indexers/ton/observations/contract';
import { stakingPoolObservation } from '../../../indexers/ton/observations/staking';
import { gatewayUrl } from '../../../indexers/ton/observations/public-web';
import { tokenDocumentObservation } from '../../../indexers/ton/observations/token-document';
import {
  createContractReader,
  type ContractReaderDeps,
  type ReadContract,
} from '../../../services/reads/read-ton-contract';
import { tonContractRoutes } from '../../../services/ton-contracts/routes';
import {
  createObserveShown,
  MAX_REQUESTED,
  type ObserveShown,
} from '../../../services/ton-contracts/observe-shown';
import type { Feature, ProgramDeps } from '../feature';
import { publicUrlSettings } from '../settings/public-url';
import { rateLimits } from '../requests/rate-limits';
import type { Config } from '../../config/settings';

/** Addresses in any form; raw ones. */
const addresses = z
  .string()
  .transform(text => text.split(',').map(each => each.trim()))
  .pipe(z.array(tonAddress.transform(text => parseTonAddress(text)!.raw)));

const settings = {
  STAKING_POOLS_MAINNET: addresses.default([]),
  STAKING_POOLS_TESTNET: addresses.default([]),
  OWNED_STAKING_POOLS_MAINNET: addresses.default([]),
  OWNED_STAKING_POOLS_TESTNET: addresses.default([]),
  ...publicUrlSettings,
};

/** The pools that the operator trusts, raw: their messages are believed. */
export function stakingPools(config: Config): Readonly<Record<TonNetwork, readonly string[]>> {
  const { STAKING_POOLS_MAINNET: mainnet, STAKING_POOLS_TESTNET: testnet } = config.of(settings);
  return { mainnet, testnet };
}

/** The pools (raw) that the instance owns: billing books the share of the owner. */
export function ownedPools(config: Config): Readonly<Record<TonNetwork, readonly string[]>> {
  const { OWNED_STAKING_POOLS_MAINNET: mainnet, OWNED_STAKING_POOLS_TESTNET: testnet } = config.of(settings);
  return { mainnet: [...new Set(mainnet)], testnet: [...new Set(testnet)] };
}

/** The pools (raw) whose members are followed: those that the operator trusts first, its own, and those that wallets list. */
export function followedPools(config: Config): Readonly<Record<TonNetwork, readonly string[]>> {
  const [trusted, owned] = [stakingPools(config), ownedPools(config)];
  const of = (network: TonNetwork) => [
    ...new Set([...trusted[network], ...owned[network], ...NOMINATOR_POOLS[network]]),
  ];
  return { mainnet: of('mainnet'), testnet: of('testnet') };
}

/** Contracts of TON: what they are, and the state of those of jettons, and what wallets can do. */
export const tonContracts: Feature = {
  name: 'ton-contracts',
  settings,
  renamedSettings: { CONTRACT_LIMIT: 'MAX_OBSERVATIONS', MAX_STORED_CONTRACTS: 'MAX_OBSERVATIONS' },
  settingPrefixes: ['STAKING_POOLS', 'OWNED_STAKING_POOLS'],
  quotas: [CONTRACT_READS, STORED_CONTRACTS],
  bounds: [
    {
      of: 'TON contracts that a process has read because a page of a history shows them',
      owner: 'who reads the page',
      max: `${MAX_REQUESTED.toLocaleString('en')} a minute, within the quotas of contracts that are stored`,
      share: 'a quarter of what the others leave',
      beyond: 'the page is shown all the same; they are read when they are asked for',
      attack: {
        file: 'services/ton-contracts/observe-shown.test.ts',
        test: 'requests a quarter of those of a minute for a stranger, whatever it is shown, and those of others beside it',
      },
    },
  ],
  memory: [
    {
      of: 'answers about TON accounts that are being read, of two networks',
      max: TON_NETWORKS.length * MAX_CONCURRENT_CALLS,
      bytesEach: MAX_ANSWER_BYTES,
    },
  ],
  observations: [tonContractObservation, stakingPoolObservation],
  routes: deps =>
    tonContractRoutes({
      ...contractReaderDeps(deps),
      documents: deps.observed(tokenDocumentObservation),
      gatewayUrl,
      publicUrl: deps.config.of(settings).PUBLIC_URL ?? null,
      trustedPools: stakingPools(deps.config),
      pools: followedPools(deps.config),
      observedPools: deps.observed(stakingPoolObservation),
    }),
};

const contractReaderDeps = (deps: ProgramDeps): ContractReaderDeps => ({
  views: deps.engine.views,
  contracts: deps.observed(tonContractObservation),
  unrecorded: deps.unrecorded(unreadTonContract),
  limits: () => deps.use(rateLimits),
  now: () => deps.clock().getTime(),
});

/** Reads contracts for other groups, within the same limits. */
export function contractReader(deps: ProgramDeps): ReadContract {
  return createContractReader(contractReaderDeps(deps));
}

/** Has the contracts observed that a page of history shows. */
export function shownContracts(deps: ProgramDeps): ObserveShown {
  return createObserveShown({
    views: deps.engine.views,
    contracts: deps.observed(tonContractObservation),
    limits: () => deps.use(rateLimits),
  });
}
