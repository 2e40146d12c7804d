import { PublicKey, SystemProgram } from '@solana/web3.js';
import { z } from 'zod';
import { encodeBase58 } from '../../../contracts/encoding/base58';
import type {
  SolanaAccountInfo,
  SolanaClient,
  SolanaTokenAccount,
} from '../../../contracts/ports/solana-client';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

const WITHOUT_DATA = { commitment: 'confirmed', encoding: 'base64', dataSlice: { offset: 0, length: 0 } };

/** The result of `getAccountInfo`. */
const accountInfo = z.object({
  context: z.object({ slot: z.int().min(0) }),
  value: z
    .object({
      lamports: z.number().min(0),
      owner: z.string(),
      executable: z.boolean(),
      rentEpoch: z.number(),
      space: z.int().min(0),
    })
    .nullable(),
});

/** An account that does not exist, as it would be with its first lamports: a wallet. */
const NO_ACCOUNT: NonNullable<z.output<typeof accountInfo>['value']> = {
  lamports: 0,
  owner: SystemProgram.programId.toBase58(),
  executable: false,
  rentEpoch: Number(2n ** 64n - 1n),
  space: 0,
};

/** Mint, owner and amount of a token account, which begin it. */
const TOKEN_ACCOUNT = { commitment: 'confirmed', encoding: 'base64', dataSlice: { offset: 0, length: 72 } };

/**
 * The result of `getTokenAccountsByOwner`. Not in its parsed form: a node parses an account only if its mint exists, and
 * some then send it as bytes among the parsed ones.
 */
const tokenAccounts = z.object({
  context: z.object({ slot: z.int().min(0) }),
  value: z.array(
    z.object({
      pubkey: z.string(),
      account: z.object({ data: z.tuple([z.base64(), z.literal('base64')]) }),
    }),
  ),
});

/** Of the token accounts that an owner has of one program: 12,000 and more. Anybody can ask for an owner with millions. */
export const MAX_TOKEN_ACCOUNTS_BYTES = 4 * 1024 * 1024;

/** The limit of `getMultipleAccounts`. */
const MAX_ACCOUNTS = 100;

type Calls = Pick<
  SolanaClient,
  | 'getAccount'
  | 'getAccounts'
  | 'getTokenAccounts'
  | 'getSignatureStatus'
  | 'getLatestBlockhash'
  | 'sendTransaction'
>;

/** The typed calls of a client over its `ask`. */
export function solanaCalls(ask: SolanaClient['withFailover']): Calls {
  async function ofProgram(owner: string, programId: string) {
    const found = await ask(({ rpc }) =>
      rpc('getTokenAccountsByOwner', [owner, { programId }, TOKEN_ACCOUNT], {
        maxBytes: MAX_TOKEN_ACCOUNTS_BYTES,
      }),
    );
    const { context, value } = tokenAccounts.parse(found);
    const accounts = value.flatMap(({ pubkey: address, account }): SolanaTokenAccount[] => {
      const data = Buffer.from(account.data[0], 'base64');
      if (data.length < TOKEN_ACCOUNT.dataSlice.length) return [];
      return [{ address, mint: encodeBase58(data.subarray(0, 32)), amount: data.readBigUInt64LE(64) }];
    });
    return { slot: context.slot, accounts };
  }

  return {
    async getAccount(address) {
      const found = await ask(({ rpc }) => rpc('getAccountInfo', [address, WITHOUT_DATA]));
      const { context, value } = accountInfo.parse(found);
      const { lamports, owner, executable, rentEpoch, space } = value ?? NO_ACCOUNT;
      const balance = BigInt(lamports).toString();
      return { slot: context.slot, value: { balance, owner, executable, rentEpoch, space } };
    },

    async getAccounts(addresses, minContextSlot) {
      const config = {
        commitment: 'confirmed',
        ...(minContextSlot !== undefined && { minContextSlot }),
      } as const;
      const accounts: (SolanaAccountInfo | null)[] = [];
      for (let at = 0; at < addresses.length; at += MAX_ACCOUNTS) {
        const keys = addresses.slice(at, at + MAX_ACCOUNTS).map(address => new PublicKey(address));
        const page = await ask(({ connection }) => connection.getMultipleAccountsInfo(keys, config));
        accounts.push(...page.map(found => found && { owner: found.owner.toBase58(), data: found.data }));
      }
      return accounts;
    },

    async getTokenAccounts(owner) {
      const reads = await Promise.all([
        ofProgram(owner, TOKEN_PROGRAM),
        ofProgram(owner, TOKEN_2022_PROGRAM),
      ]);
      return {
        slot: Math.min(...reads.map(({ slot }) => slot)),
        value: reads.flatMap(({ accounts }) => accounts),
      };
    },

    async getSignatureStatus(signature) {
      const { context, value } = await ask(({ connection }) =>
        connection.getSignatureStatuses([signature], { searchTransactionHistory: true }),
      );
      const [status] = value;
      if (!status) return { slot: context.slot, value: null };
      const { slot, confirmations, err, confirmationStatus = null } = status;
      return { slot: context.slot, value: { slot, confirmations, err, confirmationStatus } };
    },

    getLatestBlockhash: () => ask(({ connection }) => connection.getLatestBlockhash('confirmed')),

    async sendTransaction(transaction) {
      const base64 = Buffer.from(transaction).toString('base64');
      const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
      return z.string().parse(await ask(({ rpc }) => rpc('sendTransaction', [base64, options])));
    },
  };
}
