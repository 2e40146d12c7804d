import { createHash } from 'node:crypto';
import { Address, toNano } from '@ton/core';
import { LIQUID_STAKING_POOLS } from '../../../../../contracts/chain/ton-verified-contracts';
import type { TonNetwork } from '../../../../../contracts/network/network';
import type { PlacedContract } from '../../chain/placed-contract';
import { onChainContent } from '../../token-content';
import { type LocalValidator, RESERVE, localValidator, poolController, poolOwner } from '../local-pools';
import { masterchainProxy } from '../staking';
import { LIQUID_POOL_CODE, LIQUID_WALLET_CODE } from './code';
import { type ProxyIndex, liquidPoolData, liquidWalletAddress, liquidWalletData } from './liquid';

/** The liquid pool of a local network. Its owner and its controller are those of the nominator pools. */
export interface LocalLiquidPool {
  readonly address: Address;
  readonly owner: Address;
  /** One for each proxy. */
  readonly validators: Readonly<Record<ProxyIndex, LocalValidator>>;
}

/** Nanotons that the owner has staked, and jettons: with them, what is staked in each round is enough for the elector. */
export const OWN_SUPPLY = toNano(1_000_000);

/** Nanotons that the owner's wallet keeps for its storage. */
const WALLET_RESERVE = toNano('0.05');

export const LIQUID_JETTON = {
  name: 'Local Liquid Stake',
  symbol: 'wsTON',
  decimals: 9,
  description:
    'What is staked in the liquid pool of a local network: it exists on this machine only and has no value.',
  image: 'https://local.invalid/wston.png',
};

/** Two proxies of one pool cannot both be at the address that follows from their code and data. */
function validatorOf(pool: string, proxy: ProxyIndex): LocalValidator {
  const name = `${pool} ${proxy}`;
  const hash = createHash('sha256').update(`tidemark local pool ${name} proxy`).digest();
  return localValidator(name, new Address(-1, hash));
}

export function localLiquidPool(network: TonNetwork): LocalLiquidPool {
  const raw = LIQUID_STAKING_POOLS[network];
  return {
    address: Address.parseRaw(raw),
    owner: poolOwner(network).wallet.address,
    validators: { 0: validatorOf(raw, 0), 1: validatorOf(raw, 1) },
  };
}

/** The pool that its owner has staked in, with its proxies and the owner's wallet of its jetton. */
export function liquidPoolContracts(network: TonNetwork): readonly PlacedContract[] {
  const { address: pool, owner, validators } = localLiquidPool(network);
  const proxies = [validators[0].proxy, validators[1].proxy] as const;
  const data = liquidPoolData({
    owner,
    controller: poolController(network).wallet.address,
    proxies,
    content: onChainContent(LIQUID_JETTON),
    supply: OWN_SUPPLY,
  });
  return [
    { address: pool, balance: OWN_SUPPLY + RESERVE, init: { code: LIQUID_POOL_CODE, data } },
    {
      address: liquidWalletAddress({ pool, owner }),
      balance: WALLET_RESERVE,
      init: { code: LIQUID_WALLET_CODE, data: liquidWalletData({ pool, owner }, OWN_SUPPLY) },
    },
    ...proxies.map(address => ({ address, balance: RESERVE, init: masterchainProxy(pool).init })),
  ];
}
