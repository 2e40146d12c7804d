import { z } from 'zod';
import { uiAmountsOf } from '../svm/token-balances';
import { accountJson, listedAccounts, passes } from './account-json';
import { method, type Method, type Node, withContext } from './method';
import { accountContext, address, anyContext, filters, orEncoding } from './params';

const format = orEncoding(accountContext);
const programConfig = z.looseObject({
  ...accountContext.shape,
  filters,
  withContext: z.boolean().nullish(),
});

const MAX_ADDRESSES = 100;

const show = (node: Node, key: string, config: z.output<typeof accountContext>): object | null => {
  const account = node.accounts.at(key, config.commitment);
  return account && accountJson(account, config, uiAmountsOf(node.engine));
};

/** Methods about accounts. */
export const ACCOUNT_METHODS: Readonly<Record<string, Method>> = {
  getBalance: method([address, anyContext], (node, key, context) =>
    withContext(node, context, Number(node.accounts.at(key, context.commitment)?.lamports ?? 0n)),
  ),
  getAccountInfo: method([address, format], (node, key, config) =>
    withContext(node, config, show(node, key, config)),
  ),
  getMultipleAccounts: method([z.array(address).max(MAX_ADDRESSES), format], (node, keys, config) =>
    withContext(
      node,
      config,
      keys.map(key => show(node, key, config)),
    ),
  ),
  getProgramAccounts: method([address, orEncoding(programConfig)], (node, program, config) => {
    const accounts = node.accounts
      .by('owner', program, config.commitment)
      .filter(({ account }) => passes(account, config.filters));
    const found = listedAccounts(accounts, config, uiAmountsOf(node.engine));
    return config.withContext ? withContext(node, config, found) : found;
  }),
};
