import {
  WALLET_REQUEST_CATEGORY,
  walletRequestEvents,
  type WalletRequestAnswer,
} from '../../contracts/events/wallet-request';
import { accountKey, type AccountRef, type TonNetwork } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** A request as one of its two wallets has it. The id is the key of the wallet's account, `/`, and the id of the request. */
export type WalletRequestDocument = Document & {
  readonly account: string;
  /** The wallet's part in it. */
  readonly role: 'requestor' | 'confirmant';
  readonly requestId: string;
  readonly network: TonNetwork;
  /** Raw. */
  readonly requestor: string;
  /** Raw. */
  readonly confirmant: string;
  /** Where it was sent from, see `CallerSource`; null when that is not known. */
  readonly source: string | null;
  /** The last one that an event has recorded: a pending request may have expired. */
  readonly status: 'pending' | 'confirmed' | 'declined' | 'expired';
  readonly created: string;
  readonly expiresAt: string;
  readonly message: EncryptedText | null;
  readonly metadata: EncryptedText | null;
  readonly answer: Omit<WalletRequestAnswer, keyof Parties> | null;
  /** Of its last event. */
  readonly position: number;
};

type Parties = Pick<WalletRequestAnswer, 'requestId' | 'network' | 'requestor' | 'confirmant'>;

export const WALLET_REQUESTS: CollectionSpec = {
  name: 'wallet_requests',
  indexes: [
    {
      fields: [
        ['account', 'asc'],
        ['role', 'asc'],
        ['status', 'asc'],
        ['expiresAt', 'asc'],
      ],
    },
    {
      fields: [
        ['account', 'asc'],
        ['role', 'asc'],
        ['status', 'asc'],
        ['position', 'desc'],
      ],
    },
    {
      fields: [
        ['account', 'asc'],
        ['position', 'desc'],
      ],
    },
    {
      fields: [
        ['role', 'asc'],
        ['status', 'asc'],
        ['expiresAt', 'asc'],
      ],
    },
  ],
};

type TonAccount = Extract<AccountRef, { chain: 'ton' }>;

const ROLES = ['requestor', 'confirmant'] as const;
const accountOf = (parties: Parties, role: WalletRequestDocument['role']): string =>
  accountKey({ chain: 'ton', network: parties.network, address: parties[role] });

/** The requests of wallets and to them. Each is there twice, so that what changes names the account that it is about. */
export const walletRequestsProjection: EventProjection = {
  name: 'wallet-requests',
  version: 2,
  categories: [WALLET_REQUEST_CATEGORY],
  collections: [WALLET_REQUESTS],
  touches(recorded) {
    const { data } = walletRequestEvents.read(recorded);
    return ROLES.map(role => ({
      collection: WALLET_REQUESTS.name,
      id: `${accountOf(data, role)}/${data.requestId}`,
    }));
  },
  fold(document, recorded, { id }) {
    const { type, data, position } = walletRequestEvents.read(recorded);
    if (type === 'WalletRequestCreated') {
      const { at: created, ...facts } = data;
      const role = ROLES.find(each => id.startsWith(`${accountOf(data, each)}/`))!;
      const account = accountOf(data, role);
      return { _id: id, account, role, ...facts, created, status: 'pending', answer: null, position };
    }
    const before = document as WalletRequestDocument | null;
    // Of a stream of which all but the end is deleted there is nothing.
    if (!before || type === 'WalletRequestRemoved') return null;
    if (type === 'WalletRequestExpired') return { ...before, status: 'expired', position };
    const { at, signedAt, publicKey, signature, response } = data;
    const status = type === 'WalletRequestConfirmed' ? 'confirmed' : 'declined';
    return { ...before, status, answer: { at, signedAt, publicKey, signature, response }, position };
  },
};

/** The requests of a wallet and to it that changed last, latest first. */
export async function findChangedRequests(
  views: Pick<Views, 'find'>,
  account: TonAccount,
  limit: number,
): Promise<readonly WalletRequestDocument[]> {
  const { documents } = await views.find<WalletRequestDocument>(WALLET_REQUESTS.name, {
    filter: { account: accountKey(account) },
    order: [['position', 'desc']],
    limit,
  });
  return documents;
}

/** Requests of a wallet in one state, those that changed last first. */
export async function findRequestsIn(
  views: Pick<Views, 'find'>,
  account: TonAccount,
  state: Pick<WalletRequestDocument, 'role' | 'status'>,
  limit: number,
): Promise<readonly WalletRequestDocument[]> {
  const { documents } = await views.find<WalletRequestDocument>(WALLET_REQUESTS.name, {
    filter: { account: accountKey(account), role: state.role, status: state.status },
    order: [['position', 'desc']],
    limit,
  });
  return documents;
}

/** Requests of a wallet that wait for an answer at an instant, those that expire first first. */
export async function findPendingRequests(
  views: Pick<Views, 'find'>,
  account: TonAccount,
  role: WalletRequestDocument['role'],
  now: string,
  limit: number,
): Promise<readonly WalletRequestDocument[]> {
  const { documents } = await views.find<WalletRequestDocument>(WALLET_REQUESTS.name, {
    filter: { account: accountKey(account), role, status: 'pending', expiresAt: { gt: now } },
    order: [['expiresAt', 'asc']],
    limit,
  });
  return documents;
}

/** Pending requests of all wallets, those that expire first first, each once. */
export async function findExpiringRequests(
  views: Pick<Views, 'find'>,
  limit: number,
): Promise<readonly WalletRequestDocument[]> {
  const { documents } = await views.find<WalletRequestDocument>(WALLET_REQUESTS.name, {
    filter: { role: 'requestor', status: 'pending' },
    order: [['expiresAt', 'asc']],
    limit,
  });
  return documents;
}
