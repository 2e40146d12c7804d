import { generateKeyPairSync } from 'node:crypto';
import type { ExchangePartner } from '../../../contracts/ports/exchange-partner';
import { readConfig } from '../../../infra/program/settings/config';
import { openEmbeddedEngines } from '../../../infra/engines/engines';
import { createChangelly } from '../../../infra/engines/exchange-partner/changelly/changelly';
import { createSigner } from '../../../infra/engines/exchange-partner/changelly/signer';
import { createLogger } from '../../../infra/config/logger';
import { createFollowOrder } from '../../../services/exchange/order/changes';
import { createExchangeOrder } from '../../../services/exchange/order/create';
import { placingReaction } from '../../../services/exchange/order/reaction';
import { workPlacing } from '../../../services/exchange/order/worker';
import { createHandle } from '../../../services/commands/handle';
import { runReaction } from '../../../services/reactions/event-reaction';
import { createWaitLimit } from '../../../services/reads/read-until';
import { run } from '../child';
import { figure, once, paired, quantile } from '../figure';
import { interleave } from '../interleave';
import type { PartnerOrders } from '../programs/exchange-double';
import type { Row } from '../row';
import { NONE_UNPAID } from '../../exchange/order';

const CALLERS = 64;
const HOUR_MS = 3_600_000;
const WAIT_MS = 60_000;
const PAYOUT_ADDRESS = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
const ASKED = {
  fromCurrency: 'sol',
  toCurrency: 'ton',
  network: 'solana',
  amountFrom: '1.5',
  payoutAddress: PAYOUT_ADDRESS,
  refundAddress: null,
} as const;

/**
 * Orders from the request of a wallet until the partner has them: the double of the partner in a process of its own, which verifies
 * every signature; store, jobs and reaction on disk, the budget of requests without a limit. Every tenth tap is sent twice. The floor
 * is the partner alone: the adapter, which stores nothing.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const [rounds, milliseconds] = sized({ full: [6, 5_000], quick: [2, 2_000], smallest: [1, 200] });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = publicKey.export({ type: 'pkcs1', format: 'der' }).toString('hex');
  const double = run('programs/exchange-double', [key]);
  const logger = createLogger('warn');
  const partner = createChangelly({
    url: await double.next<string>(),
    signer: createSigner(privateKey),
    credentials: undefined,
    sandbox: true,
    requestsPerSecond: 100_000,
    logger,
  });
  const { close, ...engines } = openEmbeddedEngines(readConfig({ DATA_DIR: folder }));
  const handle = createHandle(engines);
  const stop = new AbortController();
  const { signal } = stop;
  const clock = (): Date => new Date();
  const outcomes = new Map<string, number>();
  const placing = {
    ...engines,
    handle,
    partner: async (): Promise<ExchangePartner> => partner,
    floatOrderTtlMs: 36 * HOUR_MS,
    clock,
    logger,
    onOutcome: (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
  };
  const working = [
    runReaction({ ...engines, logger }, placingReaction, signal),
    workPlacing(placing, signal),
  ];
  const deps = {
    store: engines.store,
    handle,
    follow: createFollowOrder({ ...engines, logger }, signal),
    unpaidOrders: async () => NONE_UNPAID.unpaid,
    maxUnpaid: 0,
    partner,
    clock,
    waitMs: WAIT_MS,
    waitLimit: createWaitLimit(10 * CALLERS),
  };

  let [created, bare] = [0, 0];
  const ids = new Set<string>();
  const took: number[] = [];
  const tap = async (): Promise<void> => {
    const n = created++;
    const address = `0:${n.toString(16).padStart(64, '0')}`;
    const wallet = { chain: 'ton', network: 'mainnet', address } as const;
    const order = { ...ASKED, wallet, source: `${n}`, idempotencyKey: `${n}` };
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: n % 10 === 0 ? 2 : 1 }, () => createExchangeOrder(deps, order)),
    );
    took.push(performance.now() - began);
    for (const { order: placed } of answers) ids.add(placed.placed!.partnerOrderId);
  };
  const callPartner = async (): Promise<void> => {
    bare += 1;
    await partner.createOrder({ from: 'sol', to: 'ton', ...ASKED }, { priority: 'order', signal });
  };
  const during = async (act: () => Promise<void>): Promise<number> => {
    const began = performance.now();
    let done = 0;
    const call = async (): Promise<void> => {
      while (performance.now() - began < milliseconds) {
        await act();
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    return (done / (performance.now() - began)) * 1_000;
  };

  say('warming up');
  await during(tap);
  took.length = 0;
  say(`${rounds} rounds of ${milliseconds} ms`);
  const rates = await interleave(rounds, { ours: () => during(tap), floor: () => during(callPartner) });
  const { count, ids: distinct } = await double.ask<PartnerOrders>('orders');
  stop.abort();
  await Promise.all(working);
  await close();
  await partner.close();
  await double.stop();
  if (count !== distinct || count !== created + bare || ids.size !== created)
    throw new Error(
      `${created} orders and ${bare} of the floor are ${count} at the partner; ${ids.size} were shown`,
    );
  if (outcomes.get('created') !== created) throw new Error(`outcomes: ${JSON.stringify([...outcomes])}`);
  return [
    figure(
      {
        what: 'exchange orders created: to the partner alone',
        unit: 'orders/s',
        note: `p50 ${quantile(took, 0.5).toFixed(0)}, p99 ${quantile(took, 0.99).toFixed(0)} ms with ${CALLERS} at once`,
      },
      paired(rates.ours, rates.floor),
      { of: 'value', atLeast: 300 },
    ),
    figure(
      { what: 'exchange orders at the partner, to those asked for', unit: 'orders' },
      once(count - bare, created),
      {
        of: 'ratio',
        atMost: 1,
      },
    ),
  ];
};
