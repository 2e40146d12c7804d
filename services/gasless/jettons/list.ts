import { gaslessJettonStream, type GaslessJettonPlace } from '../../../contracts/events/gasless-jetton';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Relayer } from '../deps';
import { gaslessJettonKind, type ListedJetton } from './decider';
import { faultOfState } from './state';

/**
 * Reads the jettons of a network as operators have last said, whichever process they have said it with. What was read before is
 * remembered: a call reads only what has followed.
 */
export function jettonReader(
  store: Pick<EventStore, 'readStream'>,
  place: GaslessJettonPlace,
): () => Promise<readonly ListedJetton[]> {
  const { decider, events } = gaslessJettonKind;
  let last = { state: decider.initial(), next: 0 };
  return async () => {
    let { state, next } = last;
    for await (const recorded of store.readStream(gaslessJettonStream(place), { from: next })) {
      state = decider.evolve(state, events.read(recorded));
      next = recorded.revision + 1;
    }
    if (next > last.next) last = { state, next };
    return [...(state?.values() ?? [])];
  };
}

/** Those that pay for transfers now. */
export async function payableJettons(relayer: Pick<Relayer, 'jettons'>): Promise<readonly ListedJetton[]> {
  return (await relayer.jettons()).filter(({ isPaused }) => !isPaused);
}

/** Those of them that are not known to be unable to. */
export async function advertisedJettons(
  relayer: Pick<Relayer, 'jettons' | 'knownStateOf'>,
): Promise<readonly ListedJetton[]> {
  return (await payableJettons(relayer)).filter(jetton => {
    const known = relayer.knownStateOf(jetton);
    return known === null || faultOfState(known) === null;
  });
}

/** Null unless the jetton of a master (raw) is listed and not paused. */
export async function payableJetton(
  relayer: Pick<Relayer, 'jettons'>,
  master: string,
): Promise<ListedJetton | null> {
  return (await payableJettons(relayer)).find(jetton => jetton.master === master) ?? null;
}
