import { PublicKey } from '@solana/web3.js';
import { z } from 'zod';
import type {
  SolanaAccountInfo,
  SolanaClient,
  SolanaTokenBalance,
} from '../../../contracts/ports/solana-client';

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const TOKEN_2022_PROGRAM = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');

/** The limit of `getMultipleAccounts`. */
const MAX_ACCOUNTS = 100;

type Calls = Pick<
  SolanaClient,
  | 'getBalance'
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
    async getBalance(address) {
      const { context, value } = await ask(({ connection }) =>
        connection.getBalanceAndContext(new PublicKey(address), 'confirmed'),
      );
      return { slot: context.slot, value: BigInt(value) };
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
