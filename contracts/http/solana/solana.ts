import { z } from 'zod';
import { isSolanaAddress } from '../../account/address';
import { isSolanaSignature } from '../../encoding/base58';
import { solanaSignatureStatus, solanaToken } from '../../chain/solana-observations';
import { enhancedTransaction } from '../../chain/solana-transaction';
import type { NetworkRef, SolanaNetwork } from '../../network/network';
import { endpoint, type Example } from '../endpoint';
import { LOCAL } from '../local-accounts';

const group = 'Solana';
const errors = ['source_wrong_network'] as const;

/** Wallets use `testnet` for the test network of every chain; that of Solana is `devnet`. */
export const solanaNetwork = z
  .enum(['mainnet', 'devnet', 'testnet'])
  .transform(name => (name === 'mainnet' ? 'mainnet' : 'devnet'));

const params = z.object({ network: solanaNetwork });

/** What a call needs that names a network of Solana in its path. */
export function solanaOfPath({
  params,
}: {
  readonly params: { readonly network: SolanaNetwork };
}): readonly NetworkRef[] {
  return [{ chain: 'solana', network: params.network }];
}

export const solanaAddress = z
  .string()
  .refine(isSolanaAddress, 'must be a base58 address of 32 bytes')
  .meta({ example: 'So11111111111111111111111111111111111111112' });

export const solanaSignature = z
  .string()
  .refine(isSolanaSignature, 'must be a base58 signature of 64 bytes')
  .meta({ description: 'Base58, 64 bytes' });

export const solanaTransaction = enhancedTransaction.meta({ id: 'SolanaTransaction' });

const EXAMPLE_SIGNATURE = '1'.repeat(64);
/** A transfer of one lamport, not signed. */
const EXAMPLE_TRANSACTION =
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAEDiojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1yBOXcOqH0XX1ajVGbDTH7My42KkbTuN6Jd9g9bj8mzlAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAgIAAQwCAAAAAQAAAAAAAAA=';
const example = (...bodies: readonly object[]): readonly Example[] =>
  bodies.map(body => ({ params: { network: 'mainnet' }, body }));

export const solanaAccount = endpoint({
  group,
  method: 'POST',
  path: '/solana/account/{network}',
  summary: 'Native balance in lamports',
  examples: example({ address: LOCAL.solanaAlice }),
  params,
  body: z.object({ address: solanaAddress }),
  response: z.object({ balance: z.string().regex(/^\d+$/), address: z.string() }),
  errors,
  watches: true,
  needs: solanaOfPath,
});

export const solanaTokens = endpoint({
  group,
  method: 'POST',
  path: '/solana/tokens/{network}',
  summary: 'Tokens of an owner under both token programs, one entry for each mint',
  examples: example({ address: LOCAL.solanaAlice }),
  params,
  body: z.object({ address: solanaAddress }),
  response: z.array(solanaToken.meta({ id: 'SolanaToken' })),
  errors,
  watches: true,
  needs: solanaOfPath,
});

export const solanaTransactions = endpoint({
  group,
  method: 'POST',
  path: '/solana/transactions/{network}',
  summary:
    "Transactions that `getSignaturesForAddress` lists for an account or token account, newest first, without consensus votes. With `mint` also those that reached only the owner's token accounts of that mint",
  examples: example(
    { address: LOCAL.solanaAlice, limit: 16 },
    {
      address: LOCAL.solanaAlice,
      limit: 16,
      before: EXAMPLE_SIGNATURE,
      until: EXAMPLE_SIGNATURE,
      mint: LOCAL.solanaDollar,
      type: 'TRANSFER',
      source: 'SYSTEM_PROGRAM',
      commitment: 'confirmed',
    },
  ),
  params,
  body: z.object({
    address: solanaAddress,
    limit: z.int().min(1).max(100).default(16),
    before: solanaSignature.nullish().meta({ description: 'Only transactions older than this signature' }),
    until: solanaSignature.nullish().meta({ description: 'Only transactions newer than this signature' }),
    mint: solanaAddress.nullish(),
    type: z.string().max(64).nullish(),
    source: z.string().max(64).nullish(),
    commitment: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
  }),
  response: z.array(solanaTransaction),
  errors,
  watches: true,
  needs: solanaOfPath,
});

/**
 * The members of `getSignatureStatuses`, and `status`, which summarises them: `pending` until the block is confirmed, then
 * `confirmed` or `failed`. Neither it nor `confirmations` goes back for who polls; only when a fork abandoned the block the
 * answer is null again.
 */
export const solanaTransactionStatus = endpoint({
  group,
  method: 'POST',
  path: '/solana/transaction/{network}',
  operationId: 'solanaTransactionStatus',
  summary:
    'Status of a transaction by its signature; null while no node knows it, and again after a fork drops its block',
  examples: example({ signature: EXAMPLE_SIGNATURE }),
  params,
  body: z.object({ signature: solanaSignature }),
  response: solanaSignatureStatus.extend({ status: z.enum(['pending', 'confirmed', 'failed']) }).nullable(),
  errors: ['rate_limited'],
  needs: solanaOfPath,
});

/** Characters; base64 of the 1,232 bytes that a transaction may have is shorter. */
const MAX_TRANSACTION_CHARACTERS = 4_096;

export const solanaTransactionFees = endpoint({
  group,
  method: 'POST',
  path: '/solana/transaction/fees/{network}',
  summary: 'Network fee of a serialized transaction in lamports, including the priority fee',
  examples: example({ transaction: EXAMPLE_TRANSACTION }),
  params,
  body: z.object({
    transaction: z
      .base64()
      .min(1)
      .max(MAX_TRANSACTION_CHARACTERS)
      .meta({ description: 'Base64 of the transaction, signed or not, legacy or versioned' }),
  }),
  response: z.object({ value: z.number() }),
  errors: ['invalid_transaction'],
  needs: solanaOfPath,
});
