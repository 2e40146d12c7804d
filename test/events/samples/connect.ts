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
    expiresAt: '2026-03-01T13:00:00.000Z',
    at,
  },
  ConnectSessionAnswered: { key, kind: 'ton-x', testnet: false, name: null, wallet, at },
  ConnectSessionRevoked: { key, at },
  ConnectSessionRemoved: { key, at: '2026-03-31T12:00:00.000Z' },
  ConnectCommandSubmitted: {
    session: key,
    appPublicKey,
    wallet: wallet.address,
    source: '0123456789abcdef',
    command: 'transaction',
    job: 'te6c',
    expiresAt: at,
    at,
  },
  ConnectCommandRemoved: {
    ...{ session: key, appPublicKey, submittedAt: at, expiresAt: at },
    at: '2026-03-31T12:00:00.000Z',
  },
};

export const CONNECT_SAMPLES: Samples = {
  ConnectSessionOpened: [{ v: 1, data: CONNECT.ConnectSessionOpened }],
  ConnectSessionAnswered: [
    { v: 1, data: CONNECT.ConnectSessionAnswered },
    {
      v: 1,
      data: {
        key,
        kind: 'tonconnect-v2',
        testnet: true,
        name: 'An app',
        wallet: { ...wallet, walletType: 'org.ton.wallets.v5', endpoint: null },
        at,
      },
    },
  ],
  ConnectSessionGranted: [{ v: 1, data: { key, at } }],
  ConnectSessionRevoked: [{ v: 1, data: CONNECT.ConnectSessionRevoked }],
  ConnectSessionRemoved: [{ v: 1, data: CONNECT.ConnectSessionRemoved }],
  ConnectCommandSubmitted: [
    ...['transaction', 'sign'].map(command => ({
      v: 3,
      data: { ...CONNECT.ConnectCommandSubmitted, command },
    })),
    ...['transaction', 'sign'].map(command => {
      const { source: _, ...data } = { ...CONNECT.ConnectCommandSubmitted, command };
      return { v: 2, data, latest: { ...data, source: null } };
    }),
    ...['transaction', 'sign'].map(command => {
      const { wallet: _, source: __, ...data } = { ...CONNECT.ConnectCommandSubmitted, command };
      return { v: 1, data, latest: { ...data, wallet: null, source: null } };
    }),
  ],
  ConnectCommandRemoved: [{ v: 1, data: CONNECT.ConnectCommandRemoved }],
};
