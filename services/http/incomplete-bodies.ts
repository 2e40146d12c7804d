import { Problem } from '../../contracts/problem/problem';
import { ByWeight } from './by-weight';
import { callerKey, type Sender } from './limits';

/** Bytes of memory that request bodies which are not complete may take together. */
export interface IncompleteBodyLimits {
  readonly total: number;
  /** Of one caller. */
  readonly perCaller: number;
}

export const INCOMPLETE_BODY_LIMITS: IncompleteBodyLimits = {
  total: 64 * 1024 * 1024,
  perCaller: 16 * 1024 * 1024,
};

/** Of a request whose body is awaited, without its connection. */
const REQUEST_BYTES = 10 * 1024;
/** Of a part of a body, beside what it has: parts may be of one byte. */
const PART_BYTES = 512;

/** Seconds after which those that fill the memory are complete, or have been refused. */
const RETRY_AFTER_S = 30;

/** A body of which parts arrive. */
export interface IncompleteBody {
  /** Counts a part. */
  add(bytes: number): void;
  /** It is complete, or given up. */
  end(): void;
}

interface Counted {
  readonly hasToken: boolean;
  bytes: number;
  /** What refuses each of its bodies, the oldest first. */
  readonly bodies: Set<() => void>;
}

/** Callers are compared by as many bytes as a request has at least. */
const weightOf = ({ bytes }: Counted): number => Math.ceil(bytes / REQUEST_BYTES);

/**
 * Bounds what waits for the end of bodies, of all connections together, however many there are. Of a caller that has more than its share,
 * and once all is taken of the caller with most, the newest are refused. Those of callers with a token come last, as no stranger is to
 * stop what is theirs.
 */
export function createIncompleteBodies({ total, perCaller } = INCOMPLETE_BODY_LIMITS) {
  const callers = new Map<string, Counted>();
  const strangers = new ByWeight<Counted>();
  const known = new ByWeight<Counted>();
  let all = 0;

  function change(caller: Counted, bytes: number): void {
    const before = weightOf(caller);
    caller.bytes += bytes;
    all += bytes;
    (caller.hasToken ? known : strangers).change(caller, before, weightOf(caller));
  }
  function refuseNewestOfAll(): void {
    const most = strangers.heaviestFirst().next().value ?? known.heaviestFirst().next().value;
    refuseNewest(most!.thing);
  }
  const refuseNewest = ({ bodies }: Counted): void => [...bodies].at(-1)!();

  return {
    /**
     * @param held beside the parts, such as what decompresses them
     * @param refuse called at most once, perhaps before `begin` returns, with a 503 `bodies_exhausted`; the body has ended then
     */
    begin(sender: Sender, held: number, refuse: (problem: Problem) => void): IncompleteBody {
      const key = callerKey(sender);
      const caller = callers.get(key) ?? { hasToken: sender.principal !== null, bytes: 0, bodies: new Set() };
      callers.set(key, caller);
      let own = 0;
      const end = (): void => {
        if (!caller.bodies.delete(lose)) return;
        change(caller, -own);
        if (caller.bodies.size === 0) callers.delete(key);
      };
      const lose = (): void => {
        end();
        refuse(exhausted());
      };
      const count = (bytes: number): void => {
        own += bytes;
        change(caller, bytes);
        while (caller.bytes > perCaller) refuseNewest(caller);
        while (all > total) refuseNewestOfAll();
      };
      caller.bodies.add(lose);
      count(REQUEST_BYTES + held);
      return {
        add(bytes) {
          if (caller.bodies.has(lose)) count(PART_BYTES + bytes);
        },
        end,
      };
    },
  };
}

export type IncompleteBodies = ReturnType<typeof createIncompleteBodies>;

const exhausted = (): Problem =>
  new Problem('bodies_exhausted', 'Too many request bodies are incomplete; try again later.', {
    retryAfter: RETRY_AFTER_S,
  });
