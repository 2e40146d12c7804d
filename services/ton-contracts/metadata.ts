import type { z } from 'zod';
import type { TonContract } from '../../contracts/chain/ton-contract';
import { formatTonAddress } from '../../contracts/address';
import { immutable } from '../../contracts/http/immutable-response';
import type { contractMetadata } from '../../contracts/http/ton-contracts';
import type { ContractView } from './read-contract';

type Metadata = z.input<NonNullable<typeof contractMetadata.response>>;

/** A balance or a supply changes with every transfer or mint. */
const STALE_MS = 10_000;

/** The state of a jetton or of a jetton wallet; nothing but the block for any other contract. */
export const metadataView: ContractView<Metadata> = {
  name: 'TON contract metadata',
  response({ data: { contract }, height, at }, { network, address }) {
    const format = (raw: string): string => formatTonAddress(raw, network);
    return immutable({
      seqno: height!,
      at,
      ...(contract && stateOf(contract, format, address)),
      ...(contract?.kind === 'jetton-master'
        ? { name: contract.name, symbol: contract.symbol, image: contract.image }
        : { name: null, symbol: null, image: null }),
    });
  },
  staleAfterMs: () => STALE_MS,
};

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
  const { totalSupply, mintable, owner, content } = contract;
  return {
    jettonMaster: {
      totalSupply,
      mintalbe: mintable,
      mintable,
      owner: owner === null ? null : format(owner),
      ...(content && { content }),
    },
  };
}
