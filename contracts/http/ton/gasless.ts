import { z } from 'zod';
import { rootOfSmallBag } from '../../chain/ton-cells';
import type { Quota } from '../../quota';
import { endpoint } from '../endpoint';
import { LOCAL } from '../local-accounts';
import { tonAddress, tonNetwork, tonOfPath } from './fields';

/** Each is emulated, and its quote is recorded. Applications ask again after every change of what a user types. */
export const GASLESS_ESTIMATES: Quota = {
  name: 'gasless_estimates',
  of: 'estimates of gasless transfers',
  by: 'address',
  perMinute: 60,
  perDay: 100_000,
  beyond: '`try-later` with 200, which applications do not repeat by themselves',
};

/** Applications post the same request up to fifteen times. */
export const GASLESS_SENDS: Quota = {
  name: 'gasless_sends',
  of: 'gasless transfers that are posted',
  by: 'address',
  perMinute: 120,
  beyond: '`try-later` with 200, which applications do not repeat by themselves',
};

/** Of what wallets make, some 1.2 kB with the state of a new wallet; a long comment makes it more. */
export const MAX_GASLESS_BYTES = 16 * 1024;
export const MAX_GASLESS_CELLS = 1_024;

export const GASLESS = 'Gasless transfers';

/** A bag of cells in hexadecimal. */
export const gaslessBoc = z
  .string()
  .max(2 * MAX_GASLESS_BYTES, { error: `must have at most ${MAX_GASLESS_BYTES} bytes`, abort: true })
  .regex(/^(?:[0-9a-fA-F]{2})+$/, { error: 'must be a bag of cells in hexadecimal', abort: true })
  .refine(
    text => rootOfSmallBag(Buffer.from(text, 'hex'), MAX_GASLESS_CELLS) !== null,
    `a bag of cells with one root, of at most ${MAX_GASLESS_CELLS} cells`,
  );

export const walletKey = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be an Ed25519 public key of 32 bytes, hexadecimal');

/** Wallets send one. What lies beyond is refused as what cannot be estimated. */
const MAX_MESSAGES = 4;
export const gaslessMessages = z
  .array(z.object({ boc: gaslessBoc.meta({ description: 'A `MessageRelaxed` to the jetton wallet' }) }))
  .min(1)
  .max(MAX_MESSAGES);

export const gaslessConfigResponse = z.object({
  gas_jettons: z.array(z.object({ master_id: z.string().meta({ description: 'Raw' }) })),
  relay_address: z.string().meta({ description: 'Raw: what is left of the coins of a transfer goes there' }),
});

const decimal = z.string().regex(/^\d+$/);

/** What a wallet is to sign. */
export const gaslessQuote = z.object({
  relay_address: z.string(),
  commission: decimal.meta({ description: 'Smallest units of the jetton' }),
  from: z.string().meta({ description: 'The wallet, raw' }),
  valid_until: z.int().meta({ description: 'Unix seconds: it has to be sent before this' }),
  messages: z.array(
    z.object({
      address: z.string(),
      amount: decimal.meta({ description: 'Nanotons' }),
      payload: z.string().optional().meta({ description: 'The body, a bag of cells in hexadecimal' }),
      stateInit: z.string().optional().meta({ description: 'A bag of cells in hexadecimal' }),
    }),
  ),
});

const refused = z.object({ ok: z.literal(false), error: z.enum(['not-enough', 'try-later', 'cooldown']) });

export const getGaslessConfig = endpoint({
  group: GASLESS,
  method: 'GET',
  path: '/gasless/{network}/config',
  summary: 'The jettons that pay for transfers, and the wallet of the relayer',
  examples: [{ params: { network: 'mainnet' } }],
  params: z.object({ network: tonNetwork }),
  response: gaslessConfigResponse,
  errors: ['gasless_off'],
  needs: tonOfPath,
});

/** A transfer from Alice to Bob of a unit less than 0.01 of the local dollar, as applications ask for it. */
export const LOCAL_GASLESS_BOC =
  'b5ee9c7241010201008c000168620027fc55e73ef78c694708f9eb05bcdbf5f4bd23719abac435d5334ad5da03c1c9a01c9c3800000000000000000000000000010100a60f8a7ea500000000000000002270f80059d78ef106422d112a7105600966fe05a2554feb4a33c213487469c8139def470001cc990261bf5a2439ca1e3693759c03d01daef6c4171c8357c550cf12dee8a102020be42da5';

export const gaslessEstimate = endpoint({
  group: GASLESS,
  method: 'POST',
  path: '/gasless/{network}/estimate',
  summary: 'What a transfer of jettons costs in the jetton, and the messages that the wallet is to sign',
  examples: [
    {
      params: { network: 'mainnet' },
      body: {
        data: {
          wallet_address: LOCAL.alice,
          wallet_public_key: LOCAL.aliceKey,
          messages: [{ boc: LOCAL_GASLESS_BOC }],
        },
        master: LOCAL.dollar,
      },
    },
  ],
  params: z.object({ network: tonNetwork }),
  body: z.object({
    data: z.object({
      wallet_address: tonAddress,
      wallet_public_key: walletKey,
      messages: gaslessMessages,
      /** In place of the one beside `data`, or the same. */
      master: tonAddress.optional(),
    }),
    master: tonAddress.optional(),
  }),
  bodyLimit: 256 * 1024,
  response: z.discriminatedUnion('ok', [gaslessQuote.extend({ ok: z.literal(true) }), refused]),
  errors: ['source_wrong_network'],
  needs: tonOfPath,
});

export const gaslessSend = endpoint({
  group: GASLESS,
  method: 'POST',
  path: '/gasless/{network}/send',
  summary:
    'Sends what a wallet has signed through the relayer; a repeated request is accepted, and changes nothing',
  examples: [
    {
      params: { network: 'mainnet' },
      body: { wallet_public_key: LOCAL.aliceKey, boc: LOCAL_GASLESS_BOC },
    },
  ],
  params: z.object({ network: tonNetwork }),
  body: z.object({
    wallet_public_key: walletKey,
    boc: gaslessBoc.meta({
      description:
        'An external message to the wallet, with a request for an internal message; it is never broadcast',
    }),
  }),
  response: z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      hash: z.string().meta({ description: 'Of the message as it was posted, hexadecimal' }),
      body_hash: z.string().meta({ description: 'Of what the wallet has signed, hexadecimal' }),
    }),
    refused,
  ]),
  errors: ['source_wrong_network'],
  needs: tonOfPath,
});
