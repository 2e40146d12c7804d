import { PublicKey, SystemProgram } from '@solana/web3.js';
import { z } from 'zod';
import type {
  SolanaAccountInfo,
  SolanaClient,
  SolanaTokenBalance,
} from '../../../contracts/ports/solana-client';

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const TOKEN_2022_PROGRAM = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

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

/** The limit of `getMultipleAccounts`. */
const MAX_ACCOUNTS = 100;

type Calls = Pick<
  SolanaClient,
  | 'getAccount'
  | 'getAccounts'
  | 'getTokenBalances'
  | 'getSignatureStatus'
  | 'getLatestBlockhash'
  | 'sendTransaction'
>;

/** The typed calls of a client over its `ask`. */
export function solanaCalls(ask: SolanaClient['withFailover']): Calls {
  async function tokenBalances(owner: PublicKey, programId: PublicKey) {
    const { context, value } = await ask(({ connection }) =>
      connection.getParsedTokenAccountsByOwner(owner, { programId }, 'confirmed'),
    );
    const balances = value.map(({ account }): SolanaTokenBalance => {
      const { mint, tokenAmount } = account.data.parsed.info;
      return { mint, amount: BigInt(tokenAmount.amount), decimals: tokenAmount.decimals };
    });
    return { slot: context.slot, balances };
  }

  return {
    async getAccount(address) {
      const found = await ask(({ rpc }) => rpc('getAccountInfo', [address, WITHOUT_DATA]));
      const { context, value } = accountInfo.parse(found);
      const { lamports, owner, executable, rentEpoch, space } = value ?? NO_ACCOUNT;
      const balance = BigInt(lamports).toString();
      return { slot: context.slot, value: { balance, owner, executable, rentEpoch, space } };
    },

    async getAccounts(addresses) {
      const accounts: (SolanaAccountInfo | null)[] = [];
      for (let at = 0; at < addresses.length; at += MAX_ACCOUNTS) {
        const keys = addresses.slice(at, at + MAX_ACCOUNTS).map(address => new PublicKey(address));
        const page = await ask(({ connection }) => connection.getMultipleAccountsInfo(keys, 'confirmed'));
        accounts.push(...page.map(found => found && { owner: found.owner.toBase58(), data: found.data }));
      }
      return accounts;
    },

    async getTokenBalances(owner) {
      const key = new PublicKey(owner);
      const reads = await Promise.all([
        tokenBalances(key, TOKEN_PROGRAM),
        tokenBalances(key, TOKEN_2022_PROGRAM),
      ]);
      return {
        slot: Math.min(...reads.map(({ slot }) => slot)),
        value: reads.flatMap(({ balances }) => balances),
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
