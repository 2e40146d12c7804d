import type { Quota } from '../../quota';
import { z } from 'zod';
import { decodeBase64 } from '../../encoding/base64';
import { CONNECT_KINDS, CONNECT_WALLET_TYPES } from '../../events/connect-session';
import { parsePublicKey } from '../../account/public-key';
import { parseUrl } from '../../url/parse-url';
import { withoutOverrides } from '../../text/visible-text';
import { endpoint } from '../endpoint';
import { tonAddress } from '../ton/fields';

/** What an address changes about connections. */
export const CONNECTIONS: Quota = {
  name: 'connections',
  of: 'changes of connection sessions of applications, and commands to wallets',
  by: 'address',
  perMinute: 60,
  perDay: 100_000,
};

const common = { group: 'TON Connect and connections', cors: true } as const;
const rateLimit = CONNECTIONS;

const EXAMPLE_SESSION = '6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw';
const EXAMPLE_APP_KEY = 'E5j2LG0aRXxRumpLXz29L2n8qTIWIY3ImX5Ba9F9k8o=';
const EXAMPLE_JOB =
  'te6cckEBBAEAtwABwAna9MpBsj5hTvF0/b6CBd057FTey1RqR3ccJHrJxs6dm96tpHgGECShl5HmrwpPVRdyVeRkduR/ZBmVKtjpkwbqSmxj4pxSCr71UHsTLsX5' +
  'lUd2rr6+e5JCHuppFEbSLAEBSROY9ixtGkV8UbpqS189vS9p/KkyFiGNyJl+QWvRfZPK9IZXAAgCAU2AA+cIPgnTRmk+yfwsTY3gi2qa2FsHOnwAAqMGY62EBmpI' +
  'dzWUAEADAAD+eJVJ';

/** A public key in base64 of either alphabet. */
const publicKey = z
  .string()
  .max(64)
  .refine(text => parsePublicKey(text) !== null, 'must be a public key of 32 bytes in base64')
  .meta({ example: EXAMPLE_SESSION });

/** What is no key is an unknown session, and not refused: wallets repeat what is refused for ever. */
const anySession = z.string().max(128).meta({ description: 'The public key of the session, in base64' });

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine(given => !/[\0\p{Cs}]/u.test(given), 'text without NUL and halves of surrogate pairs');
/** What the application calls itself, which wallets show. */
const name = text(512).overwrite(withoutOverrides);
/** Applications and wallets open it: one of another kind could be a script. */
const isWebUrl = (given: string): boolean => /^https?:$/.test(parseUrl(given)?.protocol ?? '');
const url = text(2_048).refine(isWebUrl, 'must be a URL with https or http');

/** In one cell. */
const MAX_ENDPOINT_BYTES = 127;
const signedEndpoint = text(MAX_ENDPOINT_BYTES).refine(
  given => Buffer.byteLength(given) <= MAX_ENDPOINT_BYTES,
  { error: `must have at most ${MAX_ENDPOINT_BYTES} bytes, which a cell has room for`, abort: true },
);
const endpointUrl = signedEndpoint.refine(isWebUrl, 'must be a URL with https or http');

const milliseconds = z.int().meta({ description: 'Milliseconds since the epoch' });

/** What no repetition changes is a 200 all the same: wallets repeat every other status for ever. */
const outcome = z.object({
  ok: z.boolean(),
  /** In the words that wallets translate. */
  error: z.string().optional(),
  code: z.string().optional(),
});
const done = z.object({ ok: z.literal(true) });

const session = {
  name: z.string(),
  url: z.string(),
  testnet: z.boolean(),
  created: milliseconds,
  updated: milliseconds,
};

const connectSession = z.discriminatedUnion('state', [
  /** Never opened, not answered in time, revoked before it was answered, or not used for long. */
  z.object({ state: z.literal('not_found') }),
  z.object({
    state: z.literal('initing'),
    status: z.literal('awaiting'),
    ...session,
    revoked: z.literal(false),
  }),
  z.object({
    state: z.literal('ready'),
    status: z.enum(['awaiting', 'granted', 'invalid']).meta({
      description:
        '`awaiting` until the wallet has confirmed the session with a grant; `invalid` once it is revoked',
    }),
    ...session,
    revoked: z.boolean(),
    wallet: z.object({
      address: z.string(),
      /** Null only when a connection over the bridge was reported without one. */
      endpoint: z.string().nullable(),
      walletConfig: z.string(),
      walletType: z.string(),
      walletSig: z.string(),
      appPublicKey: z.string(),
    }),
  }),
]);
export type ConnectSession = z.output<typeof connectSession>;

export const connectInit = endpoint({
  ...common,
  method: 'POST',
  path: '/connect/init',
  summary: 'Opens a session for an application, which a wallet may answer within an hour',
  examples: [{ body: { key: EXAMPLE_SESSION, testnet: false, name: 'An app', url: 'https://app.example' } }],
  body: z.object({ key: publicKey, testnet: z.boolean(), name, url }),
  response: outcome,
  rateLimit,
  errors: ['too_many_connect_sessions'],
});

export const connectAnswer = endpoint({
  ...common,
  method: 'POST',
  path: '/connect/answer',
  summary: 'Answers a session with the wallet that the user connected, signed with its key',
  examples: [
    {
      body: {
        key: EXAMPLE_SESSION,
        appPublicKey: EXAMPLE_APP_KEY,
        address: 'EQAfOEHwTpozSfZP4WJsbwRbVNbC2DnT4AAVGDMdbCAzUn--',
        walletType: 'org.ton.wallets.v4',
        walletConfig:
          'wc=0,pk=fd1724385aa0c75b64fb78cd602fa1d991fdebf76b13c58ed702eac835e9f618,walletId=698983191',
        walletSig: 'SID9NrUMQK1dVB8P9ruJqD4VQxeexJ6yuFKD3rYpEw4EEuL6G0X+utan1P5pgmVB+ZRji4EFFfx44nrd3Ze0BQ==',
        endpoint: 'https://app.example',
        name: 'An app',
        testnet: false,
        kind: 'ton-x',
      },
    },
  ],
  body: z.object({
    /** Of the session; for `tonconnect-v2` the client id of the application. */
    key: publicKey,
    appPublicKey: publicKey,
    address: tonAddress,
    walletType: z.enum(CONNECT_WALLET_TYPES),
    walletConfig: z.string().max(256),
    walletSig: z
      .string()
      .max(128)
      .refine(given => decodeBase64(given)?.length === 64, 'must be a signature of 64 bytes in base64'),
    endpoint: endpointUrl.nullable(),
    name: name.nullish(),
    /** Default: that of the session. */
    testnet: z.boolean().nullish(),
    /** Default: `ton-x`. */
    kind: z.enum(CONNECT_KINDS).nullish(),
  }),
  response: outcome,
  rateLimit,
  errors: ['connect_key_invalid', 'network_mismatch', 'too_many_connect_sessions'],
});

export const connectGrant = endpoint({
  ...common,
  method: 'POST',
  path: '/connect/grant',
  summary:
    'Confirms an answered session; does nothing for an unknown one. The public key of the session is enough: nothing proves who asks',
  examples: [{ body: { key: EXAMPLE_SESSION } }],
  body: z.object({ key: anySession }),
  response: done,
  rateLimit,
});

export const connectRevoke = endpoint({
  ...common,
  method: 'POST',
  path: '/connect/revoke',
  summary:
    'Ends a session permanently; does nothing for an unknown one. The public key of the session is enough: anybody who knows it can end the session',
  examples: [{ body: { key: EXAMPLE_SESSION } }],
  body: z.object({ key: anySession }),
  response: done,
  rateLimit,
});

export const connectState = endpoint({
  ...common,
  method: 'GET',
  path: '/connect/{session}',
  operationId: 'getConnectSession',
  summary: 'A session, with its wallet once one has answered',
  examples: [{ params: { session: EXAMPLE_SESSION } }],
  params: z.object({ session: anySession }),
  response: connectSession,
});

export const connectWait = endpoint({
  ...common,
  method: 'GET',
  path: '/connect/{session}/wait',
  operationId: 'waitForConnectSession',
  longPoll: true,
  summary: 'Waits up to 25 seconds for a session to change after `lastUpdated`',
  examples: [{ params: { session: EXAMPLE_SESSION }, query: { lastUpdated: '0' } }],
  params: z.object({ session: anySession }),
  query: z.object({
    lastUpdated: z
      .string()
      .regex(/^\d{1,16}$/, 'must be milliseconds since the epoch')
      .optional()
      .meta({
        description:
          'The last `updated` of the session that the caller has seen. Default: 0, which answers at once',
      }),
  }),
  response: connectSession,
});

export const connectCommand = endpoint({
  ...common,
  method: 'POST',
  path: '/connect/command',
  summary: 'Submits a command of an application to a connected wallet, signed with the key of the session',
  examples: [{ body: { job: EXAMPLE_JOB } }],
  body: z.object({
    /** A bag of cells in base64: signature, key of the session, and a reference to the job. */
    job: z.string().max(22_000),
  }),
  response: done,
  rateLimit,
  errors: ['connect_key_invalid', 'connect_session_not_found', 'connect_session_invalid'],
});

const jobState = { job: z.string(), created: milliseconds, updated: milliseconds, now: milliseconds };

const commandState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('empty'), now: milliseconds }),
  z.object({ state: z.literal('submitted'), ...jobState }),
  z.object({ state: z.literal('expired'), ...jobState }),
  /** The session was revoked. */
  z.object({ state: z.literal('rejected'), ...jobState }),
]);
export type CommandState = z.output<typeof commandState>;

export const connectCommandState = endpoint({
  ...common,
  method: 'GET',
  path: '/connect/command/{appk}',
  summary: 'The latest command for a wallet installation',
  examples: [{ params: { appk: EXAMPLE_APP_KEY.replace('=', '') } }],
  params: z.object({ appk: publicKey }),
  response: commandState,
});
