import { LRUCache } from 'lru-cache';
import { gaslessJettonStream, type GaslessJettonPlace } from '../../../../contracts/events/gasless-jetton';
import { sleep } from '../../../../contracts/retry/retry';
import type { Handle } from '../../../../services/commands/handle';
import type { Relayer } from '../../../../services/gasless/deps';
import { gaslessJettonKind, type ListedJetton } from '../../../../services/gasless/jettons/decider';
import { payableJettons } from '../../../../services/gasless/jettons/list';
import {
  compareWithListed,
  faultOfState,
  type JettonState,
} from '../../../../services/gasless/jettons/state';
import { readMaster, type MasterReader } from './read-master';

/** A change that no transfer has shown is found after so long. */
const LOOK_MS = 60_000;
/** What cannot pay may be put right at any time, such as a jetton that is deployed after it was listed. */
const FAULTY_LOOK_MS = 1_000;
/** Jettons whose state is remembered. */
const MAX_LOOKS = 200;

interface Look {
  until: number;
  readonly found: Promise<JettonState>;
}

interface StatesDeps extends MasterReader {
  readonly handle: Handle;
  readonly place: GaslessJettonPlace;
  /** Called at each look that has found something wrong. */
  readonly onFault: (jetton: ListedJetton, state: JettonState) => void;
}

export interface JettonStates extends Pick<Relayer, 'stateOf' | 'knownStateOf'> {
  /** What was found of a master is looked at again. */
  expire(master: string): void;
}

/**
 * Looks at listed jettons once in a minute, and sooner where they cannot pay. While no node answers, or nodes are behind, what was found before stays. Records the
 * code of what a setting has listed.
 */
export function jettonStates({ handle, place, onFault, ...reader }: StatesDeps): JettonStates {
  const looks = new LRUCache<string, Look>({ max: MAX_LOOKS });
  const known = new LRUCache<string, JettonState>({ max: MAX_LOOKS });
  const now = (): number => reader.clock().getTime();

  async function read(jetton: ListedJetton): Promise<JettonState> {
    const state = compareWithListed(jetton, await readMaster(reader, jetton.master));
    if (state.state === 'as_listed' && !jetton.code)
      await handle(gaslessJettonKind, gaslessJettonStream(place), {
        type: 'recordCode',
        place,
        master: jetton.master,
        code: state.code,
        metadata: { now: reader.clock().toISOString(), actor: 'gasless' },
      });
    return state;
  }

  async function look(jetton: ListedJetton, key: string): Promise<JettonState> {
    const before = known.get(key);
    try {
      const state = await read(jetton);
      if (state.state === 'behind') {
        if (!before) looks.delete(key);
        return before ?? state;
      }
      known.set(key, state);
      if (faultOfState(state) !== null) {
        const last = looks.get(key);
        if (last) last.until = now() + FAULTY_LOOK_MS;
        onFault(jetton, state);
      }
      return state;
    } catch (error) {
      if (before) return before;
      looks.delete(key);
      throw error;
    }
  }

  async function stateOf(jetton: ListedJetton): Promise<JettonState> {
    const key = keyOf(jetton);
    const last = looks.get(key);
    if (last && now() < last.until) return last.found;
    const found = look(jetton, key);
    looks.set(key, { until: now() + LOOK_MS, found });
    return found;
  }

  return {
    stateOf,
    knownStateOf(jetton) {
      stateOf(jetton).catch(() => undefined);
      return known.get(keyOf(jetton)) ?? null;
    },
    expire(master) {
      for (const [key, last] of looks.entries()) if (key.startsWith(`${master} `)) last.until = 0;
    },
  };
}

/** Of what is listed: with other decimals or other code it is looked at again. */
const keyOf = ({ master, decimals, code }: ListedJetton): string =>
  [master, decimals, code?.master, code?.wallet].join(' ');

export interface FaultyJetton {
  readonly jetton: ListedJetton;
  readonly fault: string;
  /** Whether its fault is other code. */
  readonly isOtherCode: boolean;
}

/** The listed jettons that cannot pay a relayer now; none of which no node says anything. */
export async function faultyJettons(
  relayer: Pick<Relayer, 'jettons' | 'stateOf'>,
): Promise<readonly FaultyJetton[]> {
  const found = await Promise.all(
    (await payableJettons(relayer)).map(async jetton => {
      const state = await relayer.stateOf(jetton).catch(() => null);
      const fault = state && faultOfState(state);
      return fault === null ? [] : [{ jetton, fault, isOtherCode: state?.state === 'other_code' }];
    }),
  );
  return found.flat();
}

/** What no node has answered is asked again after so long. */
const RETRY_MS = 10_000;

/** Looks at the jettons of relayers from the start on, also while nobody asks for a transfer, until the signal. */
export async function keepLookingAtJettons(
  relayers: readonly Pick<Relayer, 'jettons' | 'stateOf'>[],
  signal: AbortSignal,
): Promise<void> {
  for (; !signal.aborted; await sleep(RETRY_MS, signal)) await Promise.all(relayers.map(faultyJettons));
}
