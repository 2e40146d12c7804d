import type { z } from 'zod';
import type { TonContract, TonContractObserved } from '../../contracts/chain/ton-contract';
import { formatTonAddress } from '../../contracts/account/address';
import { immutable } from '../../contracts/http/immutable-response';
import type { contractInfo } from '../../contracts/http/ton/contracts';
import type { ContractView } from '../reads/read-ton-contract';

type Info = z.input<NonNullable<typeof contractInfo.response>>;

const NAMES: Readonly<Record<TonContract['kind'], string>> = {
  wallet: 'Wallet',
  'jetton-wallet': 'Jetton wallet',
  'jetton-master': 'Jetton',
  'nft-item': 'NFT item',
  'dedust-vault': 'DeDust vault',
};

/** The code of a contract of a known kind rarely changes. */
const KNOWN_STALE_MS = 3_600_000;
const UNKNOWN_STALE_MS = 600_000;
/** It may be deployed any time. */
const INACTIVE_STALE_MS = 15_000;

/** What a contract is. */
export const infoView: ContractView<Info> = {
  name: 'TON contract info',
  response({ data, height, at }, { network, address }) {
    const { state, codeHash, contract } = data;
    if (state === 'non-existing') return null;
    return immutable({
      name: contract ? NAMES[contract.kind] : state === 'active' ? 'Contract' : 'Account',
      ...(contract && { kind: contract.kind }),
      ...(contract?.kind === 'wallet' && { version: contract.version }),
      address: formatTonAddress(address, network),
      state,
      codeHash,
      seqno: height!,
      at,
    });
  },
  staleAfterMs: codeStaleAfterMs,
};

/** How long what a contract is may be served without another read. */
export function codeStaleAfterMs({ state, contract }: TonContractObserved): number {
  if (state !== 'active') return INACTIVE_STALE_MS;
  return contract ? KNOWN_STALE_MS : UNKNOWN_STALE_MS;
}
