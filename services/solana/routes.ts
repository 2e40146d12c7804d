import {
  solanaAccount,
  solanaTokens,
  solanaTransactionFees,
  solanaTransactions,
  solanaTransactionStatus,
} from '../../contracts/http/solana/solana';
import { bind, type Binding } from '../http/binding';
import { readBalance } from './account';
import type { SolanaReadDeps } from './deps';
import { transactionFee } from './fees';
import { readStatus } from './status';
import { readTokens } from './tokens';
import { transactionsPage } from './transactions';

/** Reads of Solana; all but the fee come from documents. */
export function solanaRoutes(deps: SolanaReadDeps): Binding[] {
  return [
    bind(solanaAccount, call => readBalance(deps, call.params.network, call.body.address, call)),
    bind(solanaTokens, call => readTokens(deps, call.params.network, call.body.address, call)),
    bind(solanaTransactions, call => {
      const { params, body } = call;
      const page = {
        limit: body.limit,
        before: givenAt('/body/before', body.before),
        until: givenAt('/body/until', body.until),
        mint: body.mint ?? undefined,
        type: body.type ?? undefined,
        source: body.source ?? undefined,
        finality: body.commitment === 'finalized' ? ('finalized' as const) : undefined,
      };
      return transactionsPage(deps, params.network, body.address, page, call);
    }),
    bind(solanaTransactionStatus, call => readStatus(deps, call.params.network, call.body.signature, call)),
    bind(solanaTransactionFees, async ({ body: { transaction } }) => ({
      value: Number(transactionFee(transaction)),
    })),
  ];
}

const givenAt = (pointer: string, signature: string | null | undefined) =>
  typeof signature === 'string' ? { signature, pointer } : undefined;
