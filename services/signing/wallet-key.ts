import type { TonContractObserved } from '../../contracts/chain/ton-contract';
import { isWalletOfKey } from '../../contracts/chain/ton-wallet';
import {
  ALL_NETWORKS,
  isFollowed,
  networkName,
  type FollowedNetworks,
} from '../../contracts/network/network';
import { Problem } from '../../contracts/problem/problem';
import type { ContractView, ReadContract } from '../reads/read-ton-contract';
import type { TonAccount } from '../../contracts/account/ton-account';
import type { Reader } from '../watch-account';

/**
 * The public key (32 bytes) of the wallet at an address, as the chain has it. A wallet that was not deployed so far has none
 * there: then the claimed one counts if the address derives from it. So it does where the network is off.
 * @param claimed hex; what the caller says that the key is
 * @throws Problem 422 `wallet_key_unknown`, 429 `rate_limited`, 503 when the contract could not be read
 */
export type FindWalletKey = (
  account: TonAccount,
  claimed: string | undefined,
  reader: Reader,
) => Promise<Buffer>;

interface KeyOnChain {
  readonly state: TonContractObserved['state'];
  /** Hex; null when the contract has none. */
  readonly publicKey: string | null;
}

const keyOf = ({ contract }: TonContractObserved): string | null =>
  contract?.kind === 'wallet' ? contract.publicKey : null;

/** A wallet keeps its key; version 5 may stop to accept it. */
const KNOWN_STALE_MS = 600_000;
/** It may have been deployed since. */
const UNKNOWN_STALE_MS = 1_000;

const keyView: ContractView<KeyOnChain> = {
  name: 'TON wallet key',
  response: ({ data }) => ({ state: data.state, publicKey: keyOf(data) }),
  staleAfterMs: data => (keyOf(data) === null ? UNKNOWN_STALE_MS : KNOWN_STALE_MS),
  isUseless: data => keyOf(data) === null,
};

/** @param followed the networks that the instance serves: of others no key is read, and the claimed one counts */
export function createWalletKeys(
  read: ReadContract,
  followed: FollowedNetworks = ALL_NETWORKS,
): FindWalletKey {
  return async (account, claimed, reader) => {
    const isClaimed = (): boolean =>
      claimed !== undefined && isWalletOfKey(account.address, account.network, Buffer.from(claimed, 'hex'));
    if (!isFollowed(followed, account)) {
      if (isClaimed()) return Buffer.from(claimed!, 'hex');
      throw new Problem(
        'wallet_key_unknown',
        `This instance does not serve ${networkName(account)}, where the key of the wallet would be read: give its \`publicKey\`, from which the address must derive.`,
      );
    }
    const { state, publicKey } = await read(keyView, account, reader);
    if (publicKey !== null) return Buffer.from(publicKey, 'hex');
    const isDeployed = state === 'active' || state === 'frozen';
    if (!isDeployed && isClaimed()) return Buffer.from(claimed!, 'hex');
    throw new Problem(
      'wallet_key_unknown',
      isDeployed
        ? 'The contract at this address is not a wallet that accepts signatures.'
        : 'The wallet at this address is not deployed: send its `publicKey`, from which the address must derive.',
    );
  };
}
