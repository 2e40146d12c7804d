import { Address } from '@ton/core';
import type { TonContract, WalletVersion } from '../../../contracts/chain/ton-contract';
import { walletPublicKey, walletVersion } from '../../../contracts/chain/ton-wallet';
import type { TonNetwork } from '../../../contracts/network/network';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { askContract } from '../get-method';
import { readJettonWallet, walletOf } from '../jetton-wallets';
import { readNftItem } from '../nft-items';
import { readJettonMaster } from './jetton-master';

type GetMethods = Pick<TonClient, 'runMethod'>;
type Reads = Pick<TonClient, 'runMethod' | 'getAccount'>;
type ReadKind = (client: GetMethods, seqno: number, address: string) => Promise<TonContract | null>;

/** Of the exchange DeDust on mainnet, which has none elsewhere. */
export const DEDUST_FACTORY = Address.parse('EQBfBWT7X2BHg9tXAxzhz2aKiNTU1tpt5NsiK0uSDW_YAJ67').toRawString();

/**
 * What the contract at an address (raw) is, as of a block; null: of no known kind. A contract may claim anything: a jetton
 * wallet counts when its master confirms it, an NFT item when its collection does, a vault when its factory does.
 * @param codeHash base64
 * @throws Error when the source does not answer
 */
export async function readContractKind(
  client: Reads,
  network: TonNetwork,
  seqno: number,
  address: string,
  codeHash: string,
): Promise<TonContract | null> {
  const version = walletVersion(codeHash);
  if (version) return readWallet(client, seqno, address, version);
  const ofNetwork = network === 'mainnet' ? [dedustVault] : [];
  for (const read of [jettonWallet, nftItem, jettonMaster, ...ofNetwork]) {
    const contract = await read(client, seqno, address);
    if (contract) return contract;
  }
  return null;
}

/**
 * The key from its data, as not every version has a get method for it. A contract with the code of a wallet may have any
 * data.
 */
async function readWallet(
  client: Reads,
  seqno: number,
  address: string,
  version: WalletVersion,
): Promise<TonContract> {
  const { data } = await client.getAccount(seqno, address);
  try {
    return { kind: 'wallet', version, publicKey: data && walletPublicKey(version, data) };
  } catch {
    return { kind: 'wallet', version, publicKey: null };
  }
}

const jettonWallet: ReadKind = async (client, seqno, address) => {
  const { wallet } = await readJettonWallet(client, address, seqno);
  if (!wallet || wallet.balance < 0n) return null;
  const { balance, owner, master } = wallet;
  return { kind: 'jetton-wallet', balance: balance.toString(), owner, master };
};

/** TEP-74. It must answer both of its methods: what it says of itself is not verified, as nobody else knows. */
const jettonMaster: ReadKind = async (client, seqno, address) => {
  const master = await readJettonMaster(client, seqno, address);
  if (!master || (await walletOf(client, seqno, address, address)) === null) return null;
  return { kind: 'jetton-master', ...master };
};

const nftItem: ReadKind = async (client, seqno, address) => {
  const item = await readNftItem(client, seqno, address);
  if (!item) return null;
  const { index, collection, owner } = item;
  return { kind: 'nft-item', index: index.toString(), collection, owner };
};

/** Methods as `dedust.xml` of tongo describes them. An asset is coins or a jetton. */
const dedustVault: ReadKind = async (client, seqno, address) => {
  const asset = await askContract(client, seqno, address, 'get_asset', [], stack => stack.readCell());
  if (!asset.value) return null;
  const vault = await askContract(
    client,
    seqno,
    DEDUST_FACTORY,
    'get_vault_address',
    [{ type: 'slice', cell: asset.value }],
    stack => stack.readAddress().toRawString(),
  );
  return vault.value === address ? { kind: 'dedust-vault' } : null;
};
