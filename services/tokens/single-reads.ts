import { addressKey } from '../../contracts/http/address-key';
import type { TonAccount } from '../../contracts/account/ton-account';
import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { JettonOwnerSubject, JettonWalletObserved } from '../../contracts/chain/ton-token-observations';
import type { JettonMetadata, JettonWalletResponse } from '../../contracts/http/tokens/tokens';
import { addressFormatter } from '../../projections/ton/format-address';
import type { AnyCall } from '../http/call';
import type { LimitFirstRead } from '../http/limits';
import { tokenAttributesOf } from '../token-attributes';
import type { Reader } from '../watch-account';
import { createContractReads } from './contract-reads';
import type { TokenDeps } from './deps';
import { jettonFields, NOT_A_MASTER } from './jetton-fields';
import { createPoolReads } from './pool-reads';

type ConfirmedWallet = NonNullable<JettonWalletObserved> & { readonly at: string };

/** Reads of one contract, whether or not anyone watches it. */
export function createSingleReads(deps: TokenDeps, limitFirstRead: LimitFirstRead) {
  const { masters, wallets, documents, walletAddress } = deps;
  const { read, jetton } = createContractReads(deps, limitFirstRead);
  const poolOf = createPoolReads(deps, jetton);

  /** All null for a contract that is not a jetton master. @throws Problem 429, 503 */
  async function metadata(account: TonAccount, call: AnyCall): Promise<JettonMetadata> {
    const { jetton: found, at } = await jetton(account, call);
    if (!found) return NOT_A_MASTER;
    const { network, address } = account;
    const { admin, totalSupply, mintable } = found;
    const format = addressFormatter(network);
    return {
      ...jettonFields(deps, found, account, call),
      totalSupply,
      mintable,
      ...(admin !== null && { admin: format(admin) }),
      address: format(address),
      at,
      ...(await poolOf(account, call)),
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
    if (content.uri !== null && (!read || documents.isStale(read.at)))
      await documents.request(content.uri, { caller: addressKey(call.ip) });
    return { metadata: jettonFields(deps, tokenAttributesOf(content, read?.data ?? null), master, call) };
  }

  /** Raw; null where the contract is no jetton master. @throws Problem 429, 503 */
  async function addressOf(subject: JettonOwnerSubject, caller: Reader): Promise<string | null> {
    const { network, master, owner } = subject;
    await limitFirstRead(`wallet of ${network}/${owner}/${master}`, caller);
    const { data } = await walletAddress.read(subject, { caller: addressKey(caller.ip) });
    return data;
  }

  return { jetton, metadata, wallet, confirmedWallet, addressOf };
}
