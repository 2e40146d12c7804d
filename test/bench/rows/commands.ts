import { join } from 'node:path';
import { feeStream } from '../../../contracts/events/fee';
import { openSqliteEventStore } from '../../../infra/engines/event-store/sqlite/sqlite-event-store';
import { feeKind } from '../../../services/billing/fee/decider';
import { createHandle } from '../../../services/commands/handle';
import { figure, once, paired, quantile } from '../figure';
import { feeFacts } from '../fill/fees';
import { interleave } from '../interleave';
import type { Row } from '../row';

const CALLERS = 64;

/**
 * Commands of one event each through the one command handler and the decider of fees, by 64 callers at once and by one:
 * each caller sends the next command after the last answer, so the gain comes from group commit alone.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const rounds = sized({ full: 12, quick: 4, smallest: 1 });
  const milliseconds = sized({ full: 2_000, quick: 600, smallest: 100 });
  const store = openSqliteEventStore({ path: join(folder, 'events') });
  const handle = createHandle({ store });
  say(`${rounds} rounds of ${milliseconds} ms`);

  let sent = 0;
  const command = async (): Promise<void> => {
    const facts = feeFacts(sent++);
    const outcome = await handle(feeKind, feeStream(facts.id), {
      type: 'record',
      facts,
      status: 'pending',
      omitted: [],
      metadata: { now: facts.created_at, actor: 'bench' },
    });
    if (outcome.refusal || outcome.events.length !== 1) throw new Error(`fee ${facts.id} was not recorded`);
  };
  const waits = { alone: [] as number[], together: [] as number[] };
  const during = async (callers: number, took: number[]): Promise<number> => {
    const began = performance.now();
    const before = sent;
    const call = async (): Promise<void> => {
      for (let at = performance.now(); at - began < milliseconds;) {
        await command();
        const now = performance.now();
        took.push(now - at);
        at = now;
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    return ((sent - before) / (performance.now() - began)) * 1_000;
  };
  await during(CALLERS, []);
  const { alone, together } = await interleave(rounds, {
    alone: () => during(1, waits.alone),
    together: () => during(CALLERS, waits.together),
  });
  const stored = (await store.head()) + 1;
  if (stored !== sent) throw new Error(`${stored} events of ${sent} commands`);
  await store.close();
  return [
    figure(
      { what: 'commands, 64 at once: to one after the other', unit: 'commands/s' },
      paired(together, alone),
      {
        of: 'ratio',
        atLeast: 8,
      },
    ),
    figure(
      { what: 'commands, 64 at once: p99, to p99 alone', unit: 'ms' },
      once(quantile(waits.together, 0.99), quantile(waits.alone, 0.99)),
      { of: 'value', atMost: 10 },
    ),
  ];
};
