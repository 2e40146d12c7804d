import type { Quota } from '../../quota';
import { z } from 'zod';
import { endpoint } from '../endpoint';
import { LEDGER_POSITION } from '../billing/ledger-position';
import {
  EXAMPLE_SIGNATURE,
  SIGNATURE_ERRORS,
  signedTimestamp as timestamp,
  walletPublicKey as publicKey,
  walletSignature as signature,
} from '../fields/signed';
import { tonAddress, tonNetwork, walletNetwork as network } from '../ton/fields';
import { LOCAL } from '../local-accounts';

/** Wallet requests, and answers to them, from an address. */
export const WALLET_REQUESTS: Quota = {
  name: 'wallet_requests',
  of: 'wallet requests, and answers to them',
  by: 'address',
  perMinute: 60,
  perDay: 100_000,
};

const group = 'Wallet requests';

/** Characters of `message` and of `response`. */
const MAX_TEXT = 500;
/** Characters of `metadata` as JSON. */
const MAX_METADATA = 4_096;

const isShortJson = (value: unknown): boolean =>
  value === undefined || JSON.stringify(value).length <= MAX_METADATA;

/** Seconds. */
const MIN_EXPIRATION = 1;
const MAX_EXPIRATION = 7 * 24 * 3_600;
export const DEFAULT_EXPIRATION_SECONDS = 300;

export const WALLET_REQUEST_STATUSES = ['pending', 'confirmed', 'declined', 'expired'] as const;
export const WALLET_REQUEST_TYPES = ['pending-outgoing', 'pending-incoming', 'All'] as const;
/** Requests of a list. */
export const MAX_LISTED_REQUESTS = 100;

/** Friendly, not bounceable; test-only on testnet. */
const address = z.string();

export const walletRequest = z
  .object({
    requestId: z.string(),
    requestor: address,
    confirmant: address,
    network: tonNetwork,
    status: z.enum(WALLET_REQUEST_STATUSES),
    created: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    /** Absent when there is none, or it was erased; so are the other texts. */
    message: z.string().optional(),
    metadata: z.unknown().optional(),
    /** Of a request that was confirmed or declined. */
    answer: z
      .object({
        at: z.iso.datetime(),
        /** Unix seconds: part of the text that was signed. */
        timestamp: z.int(),
        response: z.string().optional(),
        /** Hex. */
        publicKey: z.string(),
        /** Base64. */
        signature: z.string(),
      })
      .optional()
      .meta({ description: 'What the confirmant has signed, for the requestor to verify' }),
  })
  .meta({ id: 'WalletRequest' });

const requestId = z.string().regex(/^[0-9a-f]{32}$/, 'must be the id of a wallet request');

/** Neither is made by the wallet, nor in time. */
const EXAMPLE_SIGNED = {
  signature: EXAMPLE_SIGNATURE,
  timestamp: 1_767_225_600,
  network: 'mainnet',
};

const params = z.object({ address: tonAddress, network });
const exampleParams = { address: LOCAL.bobWallet, network: 'mainnet' };

export const listWalletRequests = endpoint({
  group,
  method: 'GET',
  path: '/wallet-request/{address}/{network}/list',
  summary: `The requests from or to a wallet, at most ${MAX_LISTED_REQUESTS}: first the pending ones, a few of each caller at a time, then those that changed last`,
  examples: [{ params: exampleParams, query: { type: 'pending-incoming' } }],
  params,
  query: z.object({
    type: z
      .enum(WALLET_REQUEST_TYPES)
      .default('All')
      .meta({ description: 'Pending ones to confirm, own ones, or all' }),
  }),
  response: z.array(walletRequest),
  minPosition: true,
  errors: ['network_mismatch'],
});

const SIGNING_ERRORS = ['network_mismatch', ...SIGNATURE_ERRORS] as const;

export const createWalletRequest = endpoint({
  group,
  method: 'POST',
  path: '/wallet-request/create',
  summary: 'Asks the owner of another wallet to confirm that it is theirs; signed by the requestor',
  examples: [{ body: { requestor: LOCAL.aliceWallet, confirmant: LOCAL.bobWallet, ...EXAMPLE_SIGNED } }],
  body: z.object({
    requestor: tonAddress,
    confirmant: tonAddress,
    network,
    timestamp,
    signature: signature.meta({
      description:
        'Ed25519 of the SHA-256 of `WALLET_REQUEST_CREATE|requestor|confirmant|message|expirationSeconds|timestamp|metadata`, addresses as in the body, texts empty where they are absent, in base64',
    }),
    publicKey: publicKey.optional(),
    message: z
      .string()
      .max(MAX_TEXT)
      // Otherwise one text could be signed and another one sent.
      .refine(text => !text.includes('|'), 'must have no |, which separates the fields of the signed text')
      .nullish(),
    expirationSeconds: z
      .int()
      .min(MIN_EXPIRATION)
      .max(MAX_EXPIRATION)
      .nullish()
      .meta({ description: `Default: ${DEFAULT_EXPIRATION_SECONDS}` }),
    metadata: z
      .unknown()
      .refine(isShortJson, `at most ${MAX_METADATA} characters of JSON`)
      .optional()
      .meta({ description: 'Signed as `JSON.stringify` writes it' }),
  }),
  response: walletRequest,
  responseHeaders: LEDGER_POSITION,
  rateLimit: WALLET_REQUESTS,
  errors: [...SIGNING_ERRORS, 'signature_reused', 'too_many_wallet_requests'],
});

export const respondToWalletRequest = endpoint({
  group,
  method: 'POST',
  path: '/wallet-request/respond',
  summary: 'Confirms or declines a request; signed by the confirmant',
  examples: [
    {
      body: {
        requestId: '5f'.repeat(16),
        walletAddress: LOCAL.bobWallet,
        status: 'confirmed',
        ...EXAMPLE_SIGNED,
      },
    },
  ],
  body: z.object({
    requestId,
    walletAddress: tonAddress,
    status: z.enum(['confirmed', 'declined']),
    network,
    timestamp,
    signature: signature.meta({
      description:
        'As for a new request, of `WALLET_REQUEST_RESPOND|requestId|walletAddress|status|response|timestamp`',
    }),
    publicKey: publicKey.optional(),
    response: z.string().max(MAX_TEXT).nullish(),
  }),
  response: z.object({ success: z.literal(true), request: walletRequest }),
  responseHeaders: LEDGER_POSITION,
  rateLimit: WALLET_REQUESTS,
  errors: [
    ...SIGNING_ERRORS,
    'wallet_request_not_found',
    'wallet_request_wrong_wallet',
    'wallet_request_answered',
    'wallet_request_expired',
  ],
});

export const walletRequestFrame = z
  .discriminatedUnion('event', [
    z.object({
      event: z.literal('connected'),
      data: z.object({ walletAddress: address, timestamp: z.int().meta({ description: 'Unix seconds' }) }),
    }),
    z.object({
      event: z.literal('pending_requests'),
      data: z.object({
        requests: z.array(walletRequest).meta({ description: 'All that the wallet has to answer' }),
      }),
    }),
    z.object({
      event: z.literal('notification'),
      data: z.object({
        type: z.enum(['new_request', 'request_response', 'expired']),
        request: walletRequest,
      }),
    }),
    z.object({ event: z.literal('heartbeat'), data: z.object({}) }),
    z.object({ event: z.literal('pong'), data: z.object({}) }),
    z.object({
      event: z.literal('error'),
      data: z.object({ message: z.string(), type: z.string().optional() }),
    }),
  ])
  .meta({ id: 'WalletRequestFrame' });

export type WalletRequestFrame = z.input<typeof walletRequestFrame>;

/** A message of a client has a type and nothing else. */
const MAX_RECEIVED_BYTES = 1_024;

/**
 * `pending_requests` follows `connected`, and replaces what the client knows whenever it is sent. From then on every change
 * is a `notification`: a new request for its confirmant, what became of it for both.
 */
export const walletRequestStream = endpoint({
  group,
  method: 'GET',
  path: '/wallet-request/{address}/{network}/watch/ws',
  operationId: 'watchWalletRequests',
  kind: 'websocket',
  summary: 'Notifies of requests to a wallet, and of the outcome of its own',
  examples: [{ params: exampleParams }],
  params,
  body: z.object({ type: z.string() }),
  bodyLimit: MAX_RECEIVED_BYTES,
  response: walletRequestFrame,
  errors: ['network_mismatch'],
});
