import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type {
  JettonMasterObserved,
  JettonOwnerSubject,
  JettonPoolObserved,
  JettonWalletObserved,
  TokenAttributes,
} from '../../contracts/chain/ton-token-observations';
import type { JettonMetadata, JettonWalletResponse } from '../../contracts/http/tokens/tokens';
import type { Observed, ObservedReader } from '../../contracts/observation/observation';
import type { TonNetwork } from '../../contracts/network/network';
import { addressFormatter } from '../../projections/ton/format-address';
import type { AnyCall } from '../http/call';
import { addressKey } from '../../contracts/http/address-key';
import type { LimitFirstRead } from '../http/limits';
import type { TonAccount } from '../../contracts/account/ton-account';
import type { Reader } from '../watch-account';
import type { TokenDeps } from './deps';
import { tokenAttributesOf, tokenImageUrl } from '../token-attributes';

/** A jetton master and what it says of itself; null when the contract is none. `at` is when it was read. */
export type ReadJetton = (
  master: TonAccount,
  caller: Reader,
) => Promise<{ readonly jetton: (Master & TokenAttributes) | null; readonly at: string }>;
type Master = NonNullable<JettonMasterObserved>;
type ConfirmedWallet = NonNullable<JettonWalletObserved> & { readonly at: string };

/** What was found of no contract may soon be: it may be deployed in the next block. */
const ABSENT_STALE_MS = 2_000;

/** Reads of one contract, whether or not anyone watches it. */
export function createSingleReads(deps: TokenDeps, limitFirstRead: LimitFirstRead) {
  const { masters, wallets, pools, documents, walletAddress, gatewayUrl, publicUrl, clock } = deps;

  /** @throws Problem 429, 503 */
  async function read<Data>(
    reader: ObservedReader<TonContractSubject, Data>,
    subject: TonContractSubject,
    caller: Reader,
  ): Promise<Observed<Data>> {
    const known = await reader.find(subject);
    if (known === null)
      await limitFirstRead(`${reader.collection}/${subject.network}/${subject.address}`, caller);
    const isOutdated = (at: string): boolean => clock().getTime() - Date.parse(at) > ABSENT_STALE_MS;
    const found = await reader.readDerived(
      subject,
      {
        find: () => reader.find(subject),
        isStale: ({ at }) => reader.isStale(at),
        isCurrent: ({ at, data }) => data !== null || !isOutdated(at),
      },
      { caller: addressKey(caller.ip) },
    );
    if (!found) throw reader.notReady(subject, 'The contract');
    return found;
  }

  /** What the document at a URI says; null when it cannot be read now. */
  async function document(uri: string, caller: Reader) {
    const found = await documents.readDerived(
      uri,
      {
        find: () => documents.find(uri),
        isStale: ({ at }) => documents.isStale(at),
      },
      { caller: addressKey(caller.ip) },
    );
    return found?.data ?? null;
  }

  /** What a jetton says of itself; null for a contract that is not a jetton master. @throws Problem 429, 503 */
  const jetton: ReadJetton = async ({ network, address }, caller) => {
    const { data: master, at } = await read(masters, { network, address }, caller);
    if (!master) return { jetton: null, at };
    const { content } = master;
    const attributes = tokenAttributesOf(
      content,
      content.uri === null ? null : await document(content.uri, caller),
    );
    return { jetton: { ...master, ...attributes }, at };
  };

  /** All null for a contract that is not a jetton master, which is what wallets take for "not a token". */
  async function metadata(account: TonAccount, call: AnyCall): Promise<JettonMetadata> {
    const { jetton: found, at } = await jetton(account, call);
    if (!found) return NOT_A_MASTER;
    const { network, address } = account;
    const { admin, totalSupply, mintable } = found;
    const format = addressFormatter(network);
    return {
      ...fields(found, account, call),
      totalSupply,
      mintable,
      ...(admin !== null && { admin: format(admin) }),
      address: format(address),
      at,
      ...(await poolOf(account, call)),
    };
  }

  /** Of a share of a pool: the exchange and what is in it. */
  async function poolOf(
    { network, address }: TonAccount,
    call: AnyCall,
  ): Promise<Pick<JettonMetadata, 'pool' | 'assets'>> {
    // The exchanges are on mainnet alone.
    if (network !== 'mainnet') return {};
    const subject = { network, address };
    const found = await pools.readDerived(
      subject,
      {
        find: () => pools.find(subject),
        isStale: ({ at }) => pools.isStale(at),
      },
      { caller: addressKey(call.ip) },
    );
    if (!found?.data) return {};
    const { exchange, assets } = found.data;
    const [first, second] = assets;
    return {
      pool: exchange,
      assets: [await assetOf(first, network, call), await assetOf(second, network, call)],
    };
  }

  async function assetOf(
    asset: NonNullable<JettonPoolObserved>['assets'][number],
    network: TonNetwork,
    call: AnyCall,
  ): Promise<NonNullable<JettonMetadata['assets']>[number]> {
    if (asset.type === 'native') return asset;
    const { address } = asset;
    const found = await jetton({ chain: 'ton', network, address }, call).catch(() => null);
    return {
      type: 'jetton',
      address: addressFormatter(network)(address),
      metadata: found?.jetton ? fields(found.jetton, { network, address }, call) : NOT_A_MASTER,
    };
  }

  /** A jetton wallet that its master confirms; null when none does. @throws Problem 429, 503 */
  async function confirmedWallet(
    { network, address }: TonAccount,
    caller: Reader,
  ): Promise<ConfirmedWallet | null> {
    const { data: found, at } = await read(wallets, { network, address }, caller);
    return found && { ...found, at };
  }

  /** Null where no master confirms it: wallets repeat for ever what is refused. @throws Problem 429, 503 */
  async function wallet(account: TonAccount, call: AnyCall): Promise<JettonWalletResponse | null> {
    const found = await confirmedWallet(account, call);
    if (!found) return null;
    const { balance, owner, master, at } = found;
    const { network, address } = account;
    const format = addressFormatter(network);
    return {
      balance,
      owner: format(owner),
      master: format(master),
      address: format(address),
      at,
      ...(await metadataOf({ network, address: master }, call)),
    };
  }

  /** Of the master of a wallet: the balance does not wait for it. */
  async function metadataOf(
    master: TonContractSubject,
    call: AnyCall,
  ): Promise<Pick<JettonWalletResponse, 'metadata'>> {
    const known = await masters.find(master);
    if (!known || masters.isStale(known.at)) await masters.request(master);
    if (!known?.data) return {};
    const { content } = known.data;
    const read = content.uri === null ? null : await documents.find(content.uri);
    if (content.uri !== null && (!read || documents.isStale(read.at))) await documents.request(content.uri);
    return { metadata: fields(tokenAttributesOf(content, read?.data ?? null), master, call) };
  }

  const fields = (attributes: TokenAttributes, master: TonContractSubject, { origin }: AnyCall) => ({
    name: attributes.name,
    symbol: attributes.symbol,
    description: attributes.description,
    decimals: attributes.decimals,
    originalImage: tokenImageUrl(attributes, master, { gatewayUrl, api: publicUrl ?? origin }),
    image: null,
  });

  /** Raw; null where the contract is no jetton master. @throws Problem 429, 503 */
  async function addressOf(subject: JettonOwnerSubject, caller: Reader): Promise<string | null> {
    const { network, master, owner } = subject;
    await limitFirstRead(`wallet of ${network}/${owner}/${master}`, caller);
    const { data } = await walletAddress.read(subject);
    return data;
  }

  return { jetton, metadata, wallet, confirmedWallet, addressOf };
}

const NOT_A_MASTER = {
  name: null,
  symbol: null,
  description: null,
  decimals: null,
  originalImage: null,
  image: null,
};
