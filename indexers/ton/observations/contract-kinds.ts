import type { TonContract } from '../../../contracts/chain/ton-contract';
import type { TonClient } from '../../../contracts/ports/ton-client';
import { runUntrusted } from '../get-method';
import { readJettonWallet, walletOf } from '../jetton-wallets';
import { readJettonContent } from './jetton-content';
import { walletVersion } from './wallet-code';

type GetMethods = Pick<TonClient, 'runMethod'>;
type ReadKind = (client: GetMethods, seqno: number, address: string) => Promise<TonContract | null>;

/** Code of the vaults of the exchange DeDust on mainnet, of coins and of jettons. */
const DEDUST_VAULTS: ReadonlySet<string> = new Set(
  [
    '64a42ad66688097422901ae6188670f0d6292ad3bdb4139289666f24187e86cb',
    '5bc82f0c5972ccc6732e98cbe31ea4795da818f9e06c991331568182a8362307',
  ].map(hash => Buffer.from(hash, 'hex').toString('base64')),
);

/** What is known of a contract by its code alone (hash in base64); null when other contracts have to be asked. */
function kindOfCode(codeHash: string): TonContract | null {
  const version = walletVersion(codeHash);
  if (version) return { kind: 'wallet', version };
  return DEDUST_VAULTS.has(codeHash) ? { kind: 'dedust-vault' } : null;
}

/**
 * What the contract at an address (raw) is, as of a block; null: of no known kind. A contract may claim anything: a jetton
 * wallet counts when its master confirms it, an NFT item when its collection does.
 * @param codeHash base64
 * @throws Error when the source does not answer
 */
export async function readContractKind(
  client: GetMethods,
  seqno: number,
  address: string,
  codeHash: string,
): Promise<TonContract | null> {
  const known = kindOfCode(codeHash);
  if (known) return known;
  for (const read of [jettonWallet, nftItem, jettonMaster]) {
    const contract = await read(client, seqno, address);
    if (contract) return contract;
  }
  return null;
}

const jettonWallet: ReadKind = async (client, seqno, address) => {
  const { wallet } = await readJettonWallet(client, address, seqno);
  if (!wallet || wallet.balance < 0n) return null;
  const { balance, owner, master } = wallet;
  return { kind: 'jetton-wallet', balance: balance.toString(), owner, master };
};

/** TEP-74. It must answer both of its methods: what it says of itself is not verified, as nobody else knows. */
const jettonMaster: ReadKind = async (client, seqno, address) => {
  const data = await runUntrusted(client, seqno, address, 'get_jetton_data', [], stack => ({
    supply: stack.readBigNumber(),
    mintable: stack.readBoolean(),
    // Many jettons have no owner any more.
    owner: stack.readAddressOpt()?.toRawString() ?? null,
    content: stack.readCell(),
  }));
  if (!data.value || data.value.supply < 0n) return null;
  if ((await walletOf(client, seqno, address, address)) === null) return null;
  const { supply, mintable, owner, content } = data.value;
  return {
    kind: 'jetton-master',
    totalSupply: supply.toString(),
    mintable,
    owner,
    ...readJettonContent(content),
  };
};

/** TEP-62. */
const nftItem: ReadKind = async (client, seqno, address) => {
  const data = await runUntrusted(client, seqno, address, 'get_nft_data', [], stack => ({
    isInitialized: stack.readBoolean(),
    index: stack.readBigNumber(),
    collection: stack.readAddressOpt()?.toRawString() ?? null,
    owner: stack.readAddressOpt()?.toRawString() ?? null,
  }));
  if (!data.value || data.value.index < 0n) return null;
  const { isInitialized, index, collection, owner } = data.value;
  const item = { kind: 'nft-item', index: index.toString(), collection, owner } as const;
  if (collection === null) return isInitialized ? item : null;
  const confirmed = await runUntrusted(
    client,
    seqno,
    collection,
    'get_nft_address_by_index',
    [{ type: 'int', value: index }],
    stack => stack.readAddress().toRawString(),
  );
  return confirmed.value === address ? item : null;
};
