import { z } from 'zod';
import { base58 } from '../svm/base58';
import type { Commitment } from '../chain/ledger';
import { decimalsOf } from '../svm/token-balances';
import { readHolding, readMint, type TokenHolding, type TokenMint, uiTokenAmount } from '../svm/token-state';
import { accountJson } from './account-json';
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

const mintOrProgram = z.union([z.object({ mint: address }), z.object({ programId: address })]);

/** Methods about tokens, of both token programs. */
export const TOKEN_METHODS: Readonly<Record<string, Method>> = {
  getTokenAccountBalance: method([address, anyContext], (node, key, context) => {
    const { mint, amount } = holdingOf(node, key, context.commitment);
    const { decimals } = mintOf(node, base58(mint), context.commitment);
    return withContext(node, context, uiTokenAmount(amount, decimals));
  }),
  getTokenSupply: method([address, anyContext], (node, key, context) => {
    const { supply, decimals } = mintOf(node, key, context.commitment);
    return withContext(node, context, uiTokenAmount(supply, decimals));
  }),
  getTokenLargestAccounts: method([address, anyContext], (node, key, context) => {
    const { decimals } = mintOf(node, key, context.commitment);
    const largest = node.accounts
      .by('mint', key, context.commitment)
      .map(({ address: holder, account }) => ({ address: holder, amount: readHolding(account)!.amount }))
      .sort((left, right) => (left.amount < right.amount ? 1 : left.amount > right.amount ? -1 : 0))
      .slice(0, LARGEST)
      .map(({ amount, ...rest }) => ({ ...rest, ...uiTokenAmount(amount, decimals) }));
    return withContext(node, context, largest);
  }),
  getTokenAccountsByOwner: method(
    [address, mintOrProgram, orEncoding(accountContext)],
    (node, owner, wanted, config) => {
      const decimals = decimalsOf(node.engine);
      const found = node.accounts
        .by('holder', owner, config.commitment)
        .filter(({ account }) =>
          'mint' in wanted
            ? base58(readHolding(account)!.mint) === wanted.mint
            : base58(account.owner) === wanted.programId,
        )
        .map(({ address: pubkey, account }) => ({ pubkey, account: accountJson(account, config, decimals) }));
      return withContext(node, config, found);
    },
  ),
};
