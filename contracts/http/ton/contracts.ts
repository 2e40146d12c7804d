import type { Quota } from '../../quota';
import { z } from 'zod';
import { isSolanaAddress } from '../../account/address';
import { WALLET_VERSIONS } from '../../chain/ton-contract';
import { tonAccount } from '../../account/ton-account';
import { endpoint } from '../endpoint';
import { solanaAddress } from '../solana/solana';
import { tonAddress, tonNetwork } from './fields';
import { LOCAL } from '../local-accounts';
import { MAX_POOLS } from '../staking/member';

/** Reads, from an address, of contracts that nobody has read yet. */
export const CONTRACT_READS: Quota = {
  name: 'contract_reads',
  of: 'reads of TON contracts that are not stored',
  by: 'address',
  perMinute: 600,
  maxPerCall: MAX_POOLS,
};

/** What those reads store, for others to be answered at once. */
export const STORED_CONTRACTS: Quota = {
  name: 'stored_contracts',
  of: 'TON contracts that are stored when they are read',
  by: 'address',
  perMinute: 600,
  perDay: 100_000,
  beyond: 'answered, and not stored',
  attack: {
    file: 'services/reads/read-ton-contract.test.ts',
    test: 'stores no more for one caller than it may have stored in %s, and what others read beside it',
  },
};

const group = 'TON: transactions, status, configuration, contracts';
const params = z.object({ address: tonAddress });
/** Default: testnet for a test-only address, otherwise mainnet. */
const query = z.object({ network: tonNetwork.optional() });
const errors = ['network_mismatch'] as const;
const examples = [{ params: { address: LOCAL.alice }, query: { network: 'mainnet' } }];
/** Beyond the quota the answer is what is known. */
const responseHeaders = {
  RateLimit: 'What is left of the quota of first reads',
  'RateLimit-Policy': 'The quota of first reads',
};

/** Wallets refuse a response with another kind. */
export const CONTRACT_KINDS = [
  'wallet',
  'jetton-wallet',
  'jetton-master',
  'nft-item',
  'card',
  'jetton-card',
  'dedust-vault',
] as const;

/** Friendly; test-only on testnet. */
const address = z.string();
/** Decimal, in the smallest unit. */
const amount = z.string();
/** The masterchain block that was read. */
const seqno = z.int();
/** When it was read. */
const at = z.iso.datetime();

export const walletConfig = endpoint({
  group,
  method: 'GET',
  path: '/config/{address}',
  operationId: 'getWalletConfig',
  summary: 'Version and limits of a wallet contract, and the staking pools it may use',
  examples,
  params,
  query,
  etag: true,
  response: z.object({
    /** Null when it is no wallet, was not deployed so far, or could not be read. */
    version: z.enum(WALLET_VERSIONS).nullable(),
    /** The kind of contract; null as above, or when it is of no known kind. */
    type: z.enum(CONTRACT_KINDS).nullable(),
    /** Messages that one external message can make it send; null unless it is a wallet. */
    messagesPerTransaction: z.int().nullable(),
    /** Nominator pools: those of the operator, and of those that wallets list the ones that exist. */
    pools: z.array(address),
    /** One of `pools`, the first that takes stakes; absent when there are none, as wallets parse it as an address. */
    recommended: address.optional(),
  }),
  responseHeaders,
  errors,
  needs: ({ params, query }) => [tonAccount(params.address, query.network, '/query/network')],
});

export const contractInfo = endpoint({
  group,
  method: 'GET',
  path: '/contract/info/{address}',
  summary:
    'The contract at an address, with its state and code; `null` when there is none or nothing is known about it, and for a Solana address',
  examples,
  /** Wallets ask it for every row of their history, those of Solana too, and repeat what is refused for ever. */
  params: z.object({ address: z.union([tonAddress, solanaAddress]) }),
  query,
  etag: true,
  response: z
    .object({
      name: z.string(),
      /** Absent when it is none of these. */
      kind: z.enum(CONTRACT_KINDS).optional(),
      /** Of a wallet. */
      version: z.enum(WALLET_VERSIONS).optional(),
      address,
      state: z.enum(['active', 'uninitialized', 'frozen']),
      /** Base64; null unless active. */
      codeHash: z.string().nullable(),
      seqno,
      at,
    })
    .nullable(),
  responseHeaders,
  errors,
  needs: ({ params, query }) =>
    isSolanaAddress(params.address) ? [] : [tonAccount(params.address, query.network, '/query/network')],
});

export const contractMetadata = endpoint({
  group,
  method: 'GET',
  path: '/metadata/{address}',
  summary: 'State of a jetton, or of a jetton wallet that its jetton confirms',
  examples: [{ params: { address: LOCAL.dollar }, query: { network: 'mainnet' } }],
  params,
  query,
  etag: true,
  response: z.object({
    seqno,
    at,
    jettonMaster: z
      .object({
        totalSupply: amount,
        /** Spelt as wallets read it. */
        mintalbe: z.boolean(),
        mintable: z.boolean(),
        owner: address.nullable(),
        content: z
          .discriminatedUnion('type', [
            z.object({ type: z.literal('offchain'), link: z.string() }),
            z.object({ type: z.literal('onchain') }),
          ])
          .optional(),
      })
      .optional(),
    jettonWallet: z.object({ balance: amount, owner: address, master: address, address }).optional(),
    /** Of a jetton, on the chain, else in its document once that was read. It says so itself: anybody may claim any name. */
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    image: z.string().nullable(),
  }),
  errors: [...errors, 'rate_limited'],
  needs: ({ params, query }) => [tonAccount(params.address, query.network, '/query/network')],
});
