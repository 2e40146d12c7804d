import type { z } from 'zod';
import type { TonContract, TonContractSubject } from '../../contracts/chain/ton-contract';
import type { TokenAttributes, TokenContent } from '../../contracts/chain/ton-token-observations';
import { formatTonAddress } from '../../contracts/account/address';
import { immutable } from '../../contracts/http/immutable-response';
import type { contractMetadata } from '../../contracts/http/ton/contracts';
import { tokenAttributesOf, tokenImageUrl, type TokenImages } from '../token-attributes';
import type { ContractView } from '../reads/read-ton-contract';

type Metadata = z.input<NonNullable<typeof contractMetadata.response>>;

/** A balance or a supply changes with every transfer or mint. */
const STALE_MS = 10_000;

interface Known {
  readonly metadata: Metadata;
  /** Of a jetton. */
  readonly content: TokenContent | null;
}

/** The state of a jetton or of a jetton wallet; nothing but the block for any other contract. */
export const metadataView: ContractView<Known> = {
  name: 'TON contract metadata',
  response({ data: { contract }, height, at }, { network, address }) {
    const format = (raw: string): string => formatTonAddress(raw, network);
    const content = contract?.kind === 'jetton-master' ? contract.content : null;
    const metadata = immutable({
      seqno: height!,
      at,
      ...(contract && stateOf(contract, format, address)),
      ...NO_ATTRIBUTES,
    });
    return { metadata, content };
  },
  staleAfterMs: () => STALE_MS,
};

const NO_ATTRIBUTES = { name: null, symbol: null, image: null } as const;

/** @param document null when it was never read */
export function attributesOf(
  content: TokenContent,
  document: TokenAttributes | null,
  master: TonContractSubject,
  images: TokenImages,
): Pick<Metadata, 'name' | 'symbol' | 'image'> {
  const attributes = tokenAttributesOf(content, document);
  const { name, symbol } = attributes;
  return { name, symbol, image: tokenImageUrl(attributes, master, images) };
}

/** Wallets know two places; what is in both is on the chain. */
function contentOf({ kind, uri }: TokenContent): Pick<NonNullable<Metadata['jettonMaster']>, 'content'> {
  if (kind === 'unreadable') return {};
  return { content: kind === 'offchain' ? { type: 'offchain', link: uri! } : { type: 'onchain' } };
}

function stateOf(
  contract: TonContract,
  format: (raw: string) => string,
  address: string,
): Pick<Metadata, 'jettonMaster' | 'jettonWallet'> {
  if (contract.kind === 'jetton-wallet') {
    const { balance, owner, master } = contract;
    return {
      jettonWallet: { balance, owner: format(owner), master: format(master), address: format(address) },
    };
  }
  if (contract.kind !== 'jetton-master') return {};
  const { totalSupply, mintable, admin, content } = contract;
  return {
    jettonMaster: {
      totalSupply,
      mintalbe: mintable,
      mintable,
      owner: admin === null ? null : format(admin),
      ...contentOf(content),
    },
  };
}
