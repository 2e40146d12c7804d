import type { JsonObject } from '../../../contracts/json/json';
import type { Samples } from '../sample';

const at = '2026-03-01T12:00:00.000Z';
const key = '6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw';
const appPublicKey = 'E5j2LG0aRXxRumpLXz29L2n8qTIWIY3ImX5Ba9F9k8o';
const wallet = {
  address: `0:${'ab'.repeat(32)}`,
  walletType: 'org.ton.wallets.v4',
  walletConfig: `wc=0,pk=${'cd'.repeat(32)},walletId=698983191`,
  walletSig: Buffer.alloc(64, 7).toString('base64'),
  appPublicKey,
  endpoint: 'https://connect.example/connect/command',
};

export const CONNECT = {
  ConnectSessionOpened: {
    key,
    testnet: false,
    name: 'An app',
    url: 'https://app.example',
    source: '0123456789abcdef',
    expiresAt: '2026-03-01T13:00:00.000Z',
    at,
  },
  ConnectSessionAnswered: { key, kind: 'ton-x', testnet: false, name: null, wallet, source: null, at },
  ConnectSessionRevoked: { key, at },
  ConnectSessionUsed: { key, at },
  ConnectSessionRemoved: { key, revoked: false, at: '2026-03-31T12:00:00.000Z' },
  ConnectCommandSubmitted: {
    session: key,
    appPublicKey,
    wallet: wallet.address,
    isOfFirstWallets: true,
    source: '0123456789abcdef',
    command: 'transaction',
    job: 'te6c',
    expiresAt: at,
    at,
  },
  ConnectCommandRemoved: {
    session: key,
    appPublicKey,
    submittedAt: at,
    expiresAt: at,
    at: '2026-03-31T12:00:00.000Z',
  },
};

/** The second version, and the first, which lacks a field. */
function ofVersions1And2(data: JsonObject, field: string, byDefault: string | boolean | null) {
  const { [field]: _, ...first } = data;
  return [
    { v: 2, data },
    { v: 1, data: first as JsonObject, latest: { ...first, [field]: byDefault } as JsonObject },
  ];
}

export const CONNECT_SAMPLES: Samples = {
  ConnectSessionOpened: ofVersions1And2(CONNECT.ConnectSessionOpened, 'source', null),
  ConnectSessionAnswered: [
    ...ofVersions1And2(CONNECT.ConnectSessionAnswered, 'source', null),
    ...ofVersions1And2(
      {
        key,
        kind: 'tonconnect-v2',
        testnet: true,
        name: 'An app',
        wallet: { ...wallet, walletType: 'org.ton.wallets.v5', endpoint: null },
        source: '0123456789abcdef',
        at,
      },
      'source',
      null,
    ),
  ],
  ConnectSessionGranted: [{ v: 1, data: { key, at } }],
  ConnectSessionRevoked: [{ v: 1, data: CONNECT.ConnectSessionRevoked }],
  ConnectSessionUsed: [{ v: 1, data: CONNECT.ConnectSessionUsed }],
  ConnectSessionRemoved: ofVersions1And2(
    { ...CONNECT.ConnectSessionRemoved, revoked: true },
    'revoked',
    false,
  ),
  ConnectCommandSubmitted: [
    ...['transaction', 'sign'].map(command => ({
      v: 4,
      data: { ...CONNECT.ConnectCommandSubmitted, command },
    })),
    ...['transaction', 'sign'].map(command => {
      const { isOfFirstWallets: _, ...data } = { ...CONNECT.ConnectCommandSubmitted, command };
      return { v: 3, data, latest: { ...data, isOfFirstWallets: null } };
    }),
    ...['transaction', 'sign'].map(command => {
      const { source: _, isOfFirstWallets: __, ...data } = { ...CONNECT.ConnectCommandSubmitted, command };
      return { v: 2, data, latest: { ...data, source: null, isOfFirstWallets: null } };
    }),
    ...['transaction', 'sign'].map(command => {
      const {
        wallet: _,
        source: __,
        isOfFirstWallets: ___,
        ...data
      } = { ...CONNECT.ConnectCommandSubmitted, command };
      return { v: 1, data, latest: { ...data, wallet: null, source: null, isOfFirstWallets: null } };
    }),
  ],
  ConnectCommandRemoved: [{ v: 1, data: CONNECT.ConnectCommandRemoved }],
};
