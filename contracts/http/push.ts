import type { Quota } from '../quota';
import { z } from 'zod';
import { base64Of } from '../encoding/base64';
import { parsePushToken } from '../push/push-token';
import { accountAddress } from './fields/account';
import { endpoint } from './endpoint';
import { SIGNATURE_ERRORS, signedTimestamp, walletPublicKey, walletSignature } from './fields/signed';
import { tonNetwork } from './ton/fields';
import { LOCAL } from './local-accounts';

/** Registrations of devices from an address. */
export const PUSH_REGISTRATIONS: Quota = {
  name: 'push_registrations',
  of: 'registrations of devices',
  by: 'address',
  perMinute: 60,
};

/** Registrations that say something new, of which each is stored. */
export const PUSH_CHANGES: Quota = {
  name: 'push_changes',
  of: 'registrations of devices that are new, or say something else than before',
  by: 'address',
  perMinute: 60,
  perDay: 100_000,
};

/** Accounts that a device follows. */
export const MAX_PUSH_ACCOUNTS = 20;
/** Of a request: a wallet sends all of its addresses, and asks again and again when that is refused. */
const MAX_ADDRESSES = 200;

const token = z
  .string()
  .max(300)
  .transform((text, context) => {
    const token = parsePushToken(text);
    if (token !== null) return token;
    context.addIssue({ code: 'custom', message: 'must be an Expo push token' });
    return z.NEVER;
  })
  .meta({ example: 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]' });

const proof = z.object({
  address: accountAddress.meta({ description: 'As it is in `addresses`' }),
  signature: walletSignature.meta({
    description:
      'Ed25519, in base64, of the SHA-256 of the canonical JSON (RFC 8785) of `type` (`PUSH_REGISTRATION`), `token` (as `ExponentPushToken[…]` where it begins with `ExpoPushToken`), `address` as in the body and `timestamp`',
  }),
  timestamp: signedTimestamp,
  publicKey: walletPublicKey.optional(),
});

export const registerPush = endpoint({
  group: 'Miscellaneous',
  method: 'POST',
  path: '/push/register',
  summary: `Registers a device for notifications about up to ${MAX_PUSH_ACCOUNTS} accounts, replacing its earlier registration`,
  examples: [
    {
      body: {
        token: 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]',
        appPublicKey: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
        addresses: [LOCAL.aliceWallet, LOCAL.solanaAlice],
      },
    },
  ],
  body: z.object({
    token,
    appPublicKey: base64Of(32).meta({ description: 'Ed25519 public key of the application on the device' }),
    addresses: z.array(accountAddress).max(MAX_ADDRESSES),
    proofs: z.array(proof).max(MAX_PUSH_ACCOUNTS).optional().meta({
      description:
        'Of accounts whose wallet has signed that the device is its own: it is notified before the devices of others, and alone of cards. A later registration needs none',
    }),
    network: tonNetwork.optional().meta({
      description:
        'Of all addresses; default: `testnet` for test-only addresses of TON, and for those of Solana beside them (`devnet`), otherwise `mainnet`',
    }),
  }),
  response: z.object({
    ok: z.literal(true),
    addresses: z.int().meta({ description: 'Accounts that the device follows from now on' }),
    notServed: z.int().optional().meta({
      description:
        'Present when there are some: those of them whose networks this instance does not serve: of these only wallet requests and exchange orders are notified, no transactions',
    }),
    ignored: z.int().meta({
      description: `Further accounts of the request: the first ${MAX_PUSH_ACCOUNTS} are followed`,
    }),
  }),
  rateLimit: PUSH_REGISTRATIONS,
  watches: true,
  errors: ['network_mismatch', ...SIGNATURE_ERRORS],
});
