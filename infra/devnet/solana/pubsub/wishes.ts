import { z } from 'zod';
import type { Commitment } from '../chain/ledger';
import type { AccountFormat } from '../rpc/account-json';
import { checkParams } from '../rpc/check';
import {
  accountContext,
  type AccountFilter,
  address,
  anyContext,
  filters,
  orEncoding,
  signature,
} from '../rpc/params';

/** What a subscription wants to hear of, checked. */
export interface Wish {
  /** `account`, `program`, `logs`, `signature`, `slot` or `root`, and what it is about. */
  readonly topic: string;
  readonly notification: string;
  readonly commitment: Commitment;
  readonly format: AccountFormat;
  readonly filters: readonly AccountFilter[] | null | undefined;
}

const BASE = { commitment: 'finalized', format: { encoding: 'base64' }, filters: null } as const;

const accountConfig = orEncoding(accountContext);
const programConfig = orEncoding(z.looseObject({ ...accountContext.shape, filters }));
const logsFilter = z.union([
  z.enum(['all', 'allWithVotes']).transform(() => 'all'),
  z.object({ mentions: z.array(address).length(1) }).transform(({ mentions }) => mentions[0]!),
]);

type Wishing = (params: unknown) => Wish;

/** The subscribing calls: each checks its parameters and makes a wish of them. @throws -32602 */
export const WISHES = new Map<string, Wishing>([
  [
    'accountSubscribe',
    params => {
      const [key, format] = checkParams([address, accountConfig], params);
      const { commitment } = format;
      return { ...BASE, topic: `account:${key}`, notification: 'accountNotification', commitment, format };
    },
  ],
  [
    'programSubscribe',
    params => {
      const [key, config] = checkParams([address, programConfig], params);
      const topic = `program:${key}`;
      const { commitment, filters: given } = config;
      return { topic, notification: 'programNotification', commitment, format: config, filters: given };
    },
  ],
  [
    'logsSubscribe',
    params => {
      const [about, { commitment }] = checkParams([logsFilter, anyContext], params);
      return { ...BASE, topic: `logs:${about}`, notification: 'logsNotification', commitment };
    },
  ],
  [
    'signatureSubscribe',
    params => {
      const [wanted, { commitment }] = checkParams([signature, anyContext], params);
      return { ...BASE, topic: `signature:${wanted}`, notification: 'signatureNotification', commitment };
    },
  ],
  ['slotSubscribe', () => ({ ...BASE, topic: 'slot', notification: 'slotNotification' })],
  ['rootSubscribe', () => ({ ...BASE, topic: 'root', notification: 'rootNotification' })],
]);
