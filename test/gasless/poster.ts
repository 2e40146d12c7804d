import { GASLESS_HANDOVER_CATEGORY } from '../../contracts/events/gasless-handover';
import type { EventStore } from '../../contracts/ports/event-store';
import { openSqliteEventStore } from '../../infra/engines/event-store/sqlite/sqlite-event-store';
import { createTonapi } from '../../infra/engines/gasless-upstream/tonapi';
import { createRequestBudget } from '../../infra/engines/request-budget/budget';
import { handOver } from '../../services/gasless/handover/hand-over';
import { readCarrier } from '../../services/gasless/request/carrier';
import { acceptSend } from '../../services/gasless/send/send';
import { createHandle } from '../../services/commands/handle';
import { relayView } from './local-relay';
import { gaslessDeps, relayerOf } from './relayer';

/** What a parent has posted: to a relayer of ours, or to TonAPI where it has a URL. */
export interface PosterAsk {
  readonly publicKey: string;
  /** Hex. */
  readonly boc: string;
  readonly tonapi?: string;
}

/** Of the call: null where it was accepted. */
export type PosterAnswer = { readonly refused: string | null } | { readonly failed: string };

/** Reads of the handover by which it is clear that a process waits for another: it needs less to find that out. */
const OF_ONE_WHO_WAITS = 20;

/** A process that accepts requests, beside others on the same event store. */
async function run(url: string, path: string): Promise<void> {
  const opened = openSqliteEventStore({ path });
  let reads = 0;
  const store: Pick<EventStore, 'readStream' | 'append'> = {
    append: (...args) => opened.append(...args),
    readStream(stream, options) {
      if (stream.startsWith(`${GASLESS_HANDOVER_CATEGORY}-`) && (reads += 1) === OF_ONE_WHO_WAITS)
        process.send!('waiting');
      return opened.readStream(stream, options);
    },
  };
  const view = await relayView([url]);
  const deps = gaslessDeps(relayerOf(view), { store, handle: createHandle({ store: store as EventStore }) });

  async function answer({ publicKey, boc, tonapi }: PosterAsk): Promise<PosterAnswer> {
    const carrier = readCarrier(Buffer.from(boc, 'hex'))!;
    const posted = { network: 'testnet' as const, publicKey, carrier, source: 'a' };
    const refused =
      tonapi === undefined
        ? await acceptSend(deps, posted)
        : await handOver(
            { ...deps, watch: async () => 1, client: () => view.client },
            createTonapi({ url: tonapi, key: undefined, budget: createRequestBudget({ perSecond: 100 }) }),
            { ...posted, boc },
            { ip: '192.0.2.1' } as never,
          );
    return { refused: refused && `${refused.error}: ${refused.detail}` };
  }

  process.on('message', (ask: PosterAsk) => {
    reads = 0;
    void answer(ask)
      .catch((error: unknown): PosterAnswer => ({ failed: String(error) }))
      .then(sent => process.send!(sent));
  });
  process.send!('ready');
}

void run(process.argv[2]!, process.argv[3]!);
