import {
  gaslessRelayEvents,
  gaslessRelayStream,
  type GaslessRelayMessageIncluded,
} from '../../../contracts/events/gasless-relay';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { MessageReaction } from '../../reactions/message-reaction';
import { outcomesJob } from '../relay/jobs';
import { hexOf, takenBackReaction, workTakenBack, type TakenBackDeps, type TakenBackJob } from './taken-back';

const GASLESS_RELAY_FORKS = 'gasless-relay-forks';

type Store = Pick<EventStore, 'readStream'>;

/** When a fork takes back something of a relay wallet, what its messages have caused may have changed. */
export function relayForks(store: Store): MessageReaction {
  return takenBackReaction(GASLESS_RELAY_FORKS, async ({ network, account }) => {
    for await (const _ of store.readStream(gaslessRelayStream(network, account), { limit: 1 })) return true;
    return false;
  });
}

export interface RelayForkDeps extends TakenBackDeps {
  readonly store: Store;
}

/** Has what became of the requests read again, until the signal. */
export function workRelayForks(deps: RelayForkDeps, signal: AbortSignal): Promise<void> {
  return workTakenBack(deps, GASLESS_RELAY_FORKS, signal, async job =>
    (await messagesOf(deps, job)).map(message => outcomesJob({ ...message, occasion: job.occasion }, 1)),
  );
}

/** Of the relay wallet: that of the transaction, and those in whose traces it was. */
async function messagesOf(
  { store, transactions }: RelayForkDeps,
  { network, account, external, traces }: TakenBackJob,
): Promise<readonly GaslessRelayMessageIncluded['data'][]> {
  const roots = await transactions.withLts(
    network,
    account,
    traces.map(({ lt }) => lt),
  );
  const hashes = new Set(external);
  for (const { external: message } of roots) if (message) hashes.add(hexOf(message.hash));
  const found: GaslessRelayMessageIncluded['data'][] = [];
  if (hashes.size === 0) return found;
  const stream = gaslessRelayStream(network, account);
  for await (const recorded of store.readStream(stream, { direction: 'backwards' })) {
    const { type, data } = gaslessRelayEvents.read(recorded);
    if (type === 'GaslessRelayMessageIncluded' && hashes.has(data.messageHash)) found.push(data);
  }
  return found;
}
