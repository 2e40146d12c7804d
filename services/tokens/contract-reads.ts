import type { TonAccount } from '../../contracts/account/ton-account';
import type { TonContractSubject } from '../../contracts/chain/ton-contract';
import type { JettonMasterObserved, TokenAttributes } from '../../contracts/chain/ton-token-observations';
import { addressKey } from '../../contracts/http/address-key';
import type { Observed, ObservedReader } from '../../contracts/observation/reader';
import type { LimitFirstRead } from '../http/limits';
import { tokenAttributesOf } from '../token-attributes';
import type { Reader } from '../watch-account';
import type { TokenDeps } from './deps';

/** A jetton master and what it says of itself; null when the contract is none. `at` is when it was read. */
export type ReadJetton = (
  master: TonAccount,
  caller: Reader,
) => Promise<{ readonly jetton: (Master & TokenAttributes) | null; readonly at: string }>;
type Master = NonNullable<JettonMasterObserved>;

/** What was found of no contract may soon be: it may be deployed in the next block. */
const ABSENT_STALE_MS = 2_000;

/** Readings of contracts and their documents, for which a caller waits where there are none yet. */
export interface ContractReads {
  /** @throws Problem 429, 503 */
  read<Data>(
    reader: ObservedReader<TonContractSubject, Data>,
    subject: TonContractSubject,
    caller: Reader,
  ): Promise<Observed<Data>>;
  /** What a jetton says of itself; null for a contract that is not a jetton master. @throws Problem 429, 503 */
  readonly jetton: ReadJetton;
}

export function createContractReads(
  { masters, documents, clock }: Pick<TokenDeps, 'masters' | 'documents' | 'clock'>,
  limitFirstRead: LimitFirstRead,
): ContractReads {
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

  return { read, jetton };
}
