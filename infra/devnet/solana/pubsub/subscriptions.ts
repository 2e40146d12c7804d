import { z } from 'zod';
import type { Commitment } from '../chain/ledger';
import type { AccountFormat } from '../rpc/account-json';
import { checkParams } from '../rpc/check-params';
import {
  accountContext,
  type AccountFilter,
  address,
  anyContext,
  filters,
  orEncoding,
  signature,
} from '../rpc/params';

/** The validated request of a subscription. */
export interface SubscriptionRequest {
  /** `account`, `program`, `logs`, `signature`, `slot` or `root`, with the address or signature after a colon. */
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

type ParseRequest = (params: unknown) => SubscriptionRequest;

/** The subscribe methods: each validates its parameters. @throws -32602 */
export const SUBSCRIBE_METHODS = new Map<string, ParseRequest>([
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
      const [filter, { commitment }] = checkParams([logsFilter, anyContext], params);
      return { ...BASE, topic: `logs:${filter}`, notification: 'logsNotification', commitment };
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
