import { z } from 'zod';
import { base64, base64Of } from '../../encoding/base64';
import { isSolanaSignature } from '../../encoding/base58';
import { endpoint } from '../endpoint';
import { EXAMPLE_SIGNATURE } from '../fields/signed';
import { solanaAddress } from '../solana/solana';
import { CARD, CARD_ENROLMENTS, CARD_INVITATION_CHECKS, cardPath } from './mount';

const WEB_MANIFEST = '/jsons/tonconnect-manifest.json';
export const CARD_ICON_PATH = '/jsons/card-icon.png';

/** The app reads it before it proves anything, from the web address of the card service. */
export const getCardManifest = endpoint({
  group: CARD,
  method: 'GET',
  path: WEB_MANIFEST,
  aliases: [`/card${WEB_MANIFEST}`, `/card/testnet${WEB_MANIFEST}`],
  operationId: 'getCardManifest',
  summary:
    'The manifest of the card service for TON Connect: the host of its `url` is the domain of the proofs',
  examples: [{}],
  response: z.object({ name: z.string(), url: z.url(), iconUrl: z.url() }),
  errors: ['card_off'],
  cors: true,
});

export const getCardIcon = endpoint({
  group: CARD,
  method: 'GET',
  path: CARD_ICON_PATH,
  operationId: 'getCardIcon',
  kind: 'raw',
  contentType: 'image/png',
  summary: 'The icon of the manifest of the card service',
  examples: [{}],
  cors: true,
});

const SIGNATURE_BYTES = 64;
const MAX_STATE_INIT = 4_096;
const MAX_PAYLOAD_BYTES = 128;
const MAX_DOMAIN_BYTES = 253 + 6;

const utf8Bytes = (text: string): number => Buffer.byteLength(text);

const proof = {
  timestamp: z.int().min(0).meta({ description: 'Unix seconds: at most five minutes ago, or one ahead' }),
  domain: z
    .object({ lengthBytes: z.int().min(0), value: z.string().max(MAX_DOMAIN_BYTES) })
    .refine(({ lengthBytes, value }) => lengthBytes === utf8Bytes(value), 'lengthBytes is not that of value')
    .meta({ description: 'The host of the manifest, with its port' }),
  payload: z
    .string()
    .refine(text => utf8Bytes(text) <= MAX_PAYLOAD_BYTES, `at most ${MAX_PAYLOAD_BYTES} bytes`),
};

const invitation = {
  inviteId: z.string().max(200).optional(),
  invitationId: z.string().max(200).optional(),
  appsflyerId: z.string().max(200).optional(),
};

const kinds = { kind: z.literal('tonconnect-v2'), wallet: z.literal('tonhub') };

const tonWallet = z.object({
  stack: z.literal('ton'),
  network: z.enum(['ton-mainnet', 'ton-testnet']),
  key: z.object({
    ...kinds,
    config: z.object({
      address: z.string().regex(/^0:[0-9a-fA-F]{64}$/, 'must be a raw address of the workchain 0'),
      proof: z.object({
        ...proof,
        signature: base64Of(SIGNATURE_BYTES),
        publicKey: z
          .string()
          .regex(/^[0-9a-fA-F]{64}$/, '32 bytes, hexadecimal')
          .optional(),
        walletStateInit: base64
          .max(MAX_STATE_INIT)
          .meta({ description: 'A bag of cells: what the address and the key of the wallet follow from' }),
      }),
    }),
  }),
  ...invitation,
});
export type TonWalletProof = z.output<typeof tonWallet>;

const solanaWallet = z.object({
  stack: z.literal('solana'),
  network: z.enum(['solana-mainnet', 'solana-devnet']),
  key: z.object({
    ...kinds,
    config: z.object({
      address: solanaAddress,
      proof: z.object({
        ...proof,
        signature: z.string().refine(isSolanaSignature, 'must be base58 of 64 bytes'),
        publicKey: solanaAddress,
      }),
    }),
  }),
  ...invitation,
});
export type SolanaWalletProof = z.output<typeof solanaWallet>;

const EXAMPLE_PROOF = {
  timestamp: 1_772_366_400,
  domain: { lengthBytes: 14, value: '127.0.0.1:3000' },
  payload: 'ton-proof-any',
  signature: EXAMPLE_SIGNATURE,
  walletStateInit: 'te6cckEBAQEAAgAAAEysuc0=',
};

export const connectCardWallet = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/user/wallet/connect'),
  operationId: 'connectCardWallet',
  summary:
    'Enrols the owner of a TON wallet, and of the Solana wallet of the same key; a Ledger proves the TON wallet alone. The same key is always the same user, with a new token each time',
  examples: [
    {
      body: {
        stack: 'ton',
        network: 'ton-mainnet',
        key: {
          kind: 'tonconnect-v2',
          wallet: 'tonhub',
          config: { address: `0:${'1'.repeat(64)}`, proof: EXAMPLE_PROOF },
        },
      },
    },
  ],
  body: z.union([tonWallet, z.tuple([tonWallet, solanaWallet])]),
  bodyLimit: 24 * 1024,
  response: z.object({ ok: z.literal(true), token: z.string() }),
  rateLimit: CARD_ENROLMENTS,
  errors: [
    'card_off',
    'signature_invalid',
    'signature_expired',
    'signature_reused',
    'too_many_card_users',
    'too_many_card_tokens',
  ],
});

const banner = z.object({
  id: z.int(),
  content: z.object({
    action: z.object({ en: z.string(), ru: z.string() }),
    title: z.object({ en: z.string(), ru: z.string() }),
    subtitle: z.object({ en: z.string(), ru: z.string() }),
  }),
  imageUrl: z.string().optional(),
  path: z.string().optional(),
});

export const checkCardInvitation = endpoint({
  group: CARD,
  method: 'POST',
  ...cardPath('/v2/invite/wallet/check/v2'),
  operationId: 'checkCardInvitation',
  summary: 'Whether the card service is open to a wallet; the same for every wallet of a network',
  examples: [
    {
      body: {
        wallet: 'EQAREREREREREREREREREREREREREREREREREREREREREeYT',
        network: 'ton-mainnet',
        region: { countryCode: 'DE', storeFrontCode: 'DE' },
        dataDrivenBanners: true,
      },
    },
  ],
  body: z.object({
    wallet: z.string().max(100),
    network: z.enum(['ton-mainnet', 'ton-testnet']),
    region: z
      .object({ countryCode: z.string().max(20).nullish(), storeFrontCode: z.string().max(20).nullish() })
      .nullish(),
    campaignId: z.string().max(200).nullish(),
    campaignParams: z.record(z.string(), z.unknown()).nullish(),
    dataDrivenBanners: z.boolean().optional(),
  }),
  response: z.object({
    allowed: z.boolean(),
    banner: banner.optional(),
    settingsBanner: banner.optional(),
    banners: z.array(banner).optional(),
    settingsBanners: z.array(banner).optional(),
  }),
  rateLimit: CARD_INVITATION_CHECKS,
});
