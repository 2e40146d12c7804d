import { withProjections } from '../../../infra/program/commands/with-engines';
import { readConfig } from '../../../infra/program/settings/config';
import { pricesProjection } from '../../../projections/rates/prices';
import type { Views } from '../../../projections/views';
import { createRateReads } from '../../../services/rates/reads';
import { againstExpress } from '../against-express';
import { figure, once, quantile } from '../figure';
import type { Row } from '../row';

const CHART = 'chart of 30 days';

/** A chart of 30 days in another currency: served, and made from its documents when prices have changed. */
export const row: Row = async setting => {
  const served = await againstExpress({
    setting,
    wanted: read => read === CHART,
    named: read => read,
    goal: { of: 'ratio', atLeast: 0.75 },
  });

  const [charts, warmUp] = setting.sized({ full: [1_000, 200], quick: [1_000, 200], smallest: [10, 0] });
  const config = readConfig({ ...process.env, DATA_DIR: setting.folder });
  const { made, written, cpuMs } = await withProjections(config, [pricesProjection], async ({ engine }) => {
    const views: Views = { ...engine.views, cached: (_query, compute) => compute() };
    const { chart } = createRateReads({
      views,
      realm: 'live',
      demand: async () => undefined,
      clock: () => new Date(),
    });
    return measured(
      charts,
      warmUp,
      async () => (await chart({ network: 'mainnet', token: 'TON', currency: 'EUR', period: '30d' })).body,
    );
  });
  return [
    ...served,
    figure(
      {
        what: `${CHART}, fresh: p99, to JSON.stringify`,
        unit: 'ms',
        note: `p50 ${quantile(made, 0.5).toFixed(2)}, CPU ${cpuMs.toFixed(2)} ms`,
      },
      once(quantile(made, 0.99), quantile(written, 0.99)),
      { of: 'value', atMost: 5 },
    ),
  ];
};

/** Milliseconds of each of many: to make a body and write it, and to write it alone; and of CPU, on average. */
async function measured(charts: number, warmUp: number, make: () => Promise<object>) {
  const made: number[] = [];
  const written: number[] = [];
  let cpu = process.cpuUsage();
  for (let n = 0; n < warmUp + charts; n++) {
    if (n === warmUp) cpu = process.cpuUsage();
    const began = performance.now();
    const body = await make();
    const between = performance.now();
    JSON.stringify(body);
    const ended = performance.now();
    if (n < warmUp) continue;
    made.push(ended - began);
    written.push(ended - between);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { made, written, cpuMs: (user + system) / 1_000 / charts };
}
