import { type Cell, toNano } from '@ton/core';
import type { TonNetwork } from '../../../../contracts/network/network';
import type { JettonMetadata } from '../jetton/jetton';
import { localTokenOrigin } from '../local-origin';
import { mintlessJetton, type MintlessJetton } from '../mintless/mintless';
import type { NftMetadata } from '../nft/nft';
import { onChainContent } from '../token-content';
import { createActors } from './actors';

export interface LocalJetton {
  readonly metadata: JettonMetadata;
  readonly isOwnerless: boolean;
  /** What its pool has at first: nanotons and smallest units; null where there is none. */
  readonly pool: { readonly coins: bigint; readonly jettons: bigint } | null;
}

const DESCRIPTION = 'A jetton of a local network: it exists on this machine only and has no value.';
const imageOf = (symbol: string): string => `https://local.invalid/${symbol.toLowerCase()}.png`;

const local = (name: string, symbol: string, decimals: number) => ({
  name,
  symbol,
  decimals,
  description: DESCRIPTION,
  image: imageOf(symbol),
});

/** The jetton of the traffic. On the local networks it counts as a dollar: what coins cost in its pool is what they cost. */
export const LOCAL_JETTON: JettonMetadata = local('Local Dollar', 'LOCAL', 6);

/** What the document of the jetton with semi-chain content adds. */
export const SEMI_CHAIN_DOCUMENT = { description: DESCRIPTION, image: imageOf('SEMI') };

/** Those that are minted. That of the traffic comes first; then one with semi-chain content, and one without an owner. */
export function localJettons(network: TonNetwork): readonly LocalJetton[] {
  const semi = { name: 'Local Semi', symbol: 'SEMI', decimals: 9 };
  return [
    {
      metadata: LOCAL_JETTON,
      isOwnerless: false,
      pool: { coins: toNano(100_000), jettons: 300_000n * 10n ** 6n },
    },
    {
      metadata: { ...semi, uri: `${localTokenOrigin(network)}/semi.json` },
      isOwnerless: false,
      pool: { coins: toNano(50_000), jettons: 600_000n * 10n ** 9n },
    },
    { metadata: local('Local Orphan', 'ORPHAN', 2), isOwnerless: true, pool: null },
  ];
}

export const LOCAL_MINTLESS = local('Local Mintless', 'LESS', 6);

/** Of the mintless jetton, smallest units: what each actor may claim. */
const AIRDROP = 500_000_000n;

/** The mintless jetton, which each actor may claim. */
export function localMintless(network: TonNetwork): MintlessJetton {
  const server = `${localTokenOrigin(network)}/mintless`;
  const content: Cell = onChainContent({
    ...LOCAL_MINTLESS,
    mintless_merkle_dump_uri: `${server}/airdrop.boc`,
    custom_payload_api_uri: server,
  });
  return mintlessJetton(
    content,
    createActors(network).map(({ contract }) => [contract.address, AIRDROP]),
  );
}

export const LOCAL_COLLECTION: NftMetadata = {
  name: 'Local Harbour',
  description: 'The collection of a local network: it exists on this machine only and has no value.',
  image: 'https://local.invalid/harbour.png',
};
