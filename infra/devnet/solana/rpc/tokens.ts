import { z } from 'zod';
import { base58 } from '../svm/base58';
import type { Commitment } from '../chain/ledger';
import { uiAmountsOf } from '../svm/token-balances';
import {
  readHolding,
  readMint,
  type TokenHolding,
  type TokenMint,
  type UiTokenAmount,
} from '../svm/token-state';
import { listedAccounts } from './account-json';
import { invalidParams } from './error';
import { method, type Method, type Node, withContext } from './method';
import { accountContext, address, anyContext, orEncoding } from './params';

const LARGEST = 20;

const holdingOf = (node: Node, key: string, commitment: Commitment): TokenHolding => {
  const account = node.accounts.at(key, commitment);
  const holding = account && readHolding(account);
  if (!holding) throw invalidParams(account ? 'not a Token account' : 'could not find account');
  return holding;
};

const mintOf = (node: Node, key: string, commitment: Commitment): TokenMint => {
  const account = node.accounts.at(key, commitment);
  const mint = account && readMint(account);
  if (!mint) throw invalidParams('not a Token mint');
  return mint;
};

const shown = (node: Node, mint: string, amount: bigint): UiTokenAmount => {
  const amounts = uiAmountsOf(node.engine)(mint, amount);
  if (!amounts) throw invalidParams('not a Token mint');
  return amounts;
};

const mintOrProgram = z.union([z.object({ mint: address }), z.object({ programId: address })]);

/** Methods about tokens, of both token programs. */
export const TOKEN_METHODS: Readonly<Record<string, Method>> = {
  getTokenAccountBalance: method([address, anyContext], (node, key, context) => {
    const { mint, amount } = holdingOf(node, key, context.commitment);
    return withContext(node, context, shown(node, base58(mint), amount));
  }),
  getTokenSupply: method([address, anyContext], (node, key, context) => {
    const { supply } = mintOf(node, key, context.commitment);
    return withContext(node, context, shown(node, key, supply));
  }),
  getTokenLargestAccounts: method([address, anyContext], (node, key, context) => {
    mintOf(node, key, context.commitment);
    const largest = node.accounts
      .by('mint', key, context.commitment)
      .map(({ address: holder, account }) => ({ address: holder, amount: readHolding(account)!.amount }))
      .sort((left, right) => (left.amount < right.amount ? 1 : left.amount > right.amount ? -1 : 0))
      .slice(0, LARGEST)
      .map(({ amount, ...rest }) => ({ ...rest, ...shown(node, key, amount) }));
    return withContext(node, context, largest);
  }),
  getTokenAccountsByOwner: method(
    [address, mintOrProgram, orEncoding(accountContext)],
    (node, owner, wanted, config) => {
      const accounts = node.accounts
        .by('holder', owner, config.commitment)
        .filter(({ account }) =>
          'mint' in wanted
            ? base58(readHolding(account)!.mint) === wanted.mint
            : base58(account.owner) === wanted.programId,
        );
      return withContext(node, config, listedAccounts(accounts, config, uiAmountsOf(node.engine)));
    },
  ),
};
