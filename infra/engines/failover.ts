import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  bulkhead,
  circuitBreaker,
  handleWhen,
  retry,
} from 'cockatiel';
import { WrongNetwork } from '../../contracts/network/wrong-network';

export interface FailoverOptions<Endpoint> {
  /** At least one. The first is used while it answers, then the next, round-robin. */
  readonly endpoints: readonly Endpoint[];
  /** Maximum attempts of a call, each on the next endpoint; default 4. */
  readonly attempts?: number;
  /** About the pause before the second attempt, growing from there; default 200. */
  readonly backoffMs?: number;
  /** Calls at a time; more wait; default `MAX_CONCURRENT_CALLS`. */
  readonly maxConcurrent?: number;
  /** True for an error that is the same on every endpoint: the call fails at once. Default: never. */
  isRefusal?(error: Error): boolean;
  /**
   * True for an error that may be the fault of what is asked: the next endpoint is asked too, and none is held responsible, or what
   * somebody asks for again and again would keep all others from being answered. Default: never.
   */
  mayBeOfCall?(error: Error): boolean;
  /** Milliseconds for which an endpoint asks not to be called, by the error it answered with. Default: none. */
  pauseMs?(error: Error): number | null;
  onFailure?(endpoint: Endpoint, error: Error): void;
  /** Called with the time, by `performance.now()`, at which the call began that it has answered. */
  onAnswer?(endpoint: Endpoint, began: number): void;
  /** Ends all retries. */
  readonly signal: AbortSignal;
}

export interface Failover<Endpoint> {
  /** @throws what the last attempt threw, or the last call of its endpoint, where that is not called; BulkheadRejectedError when too many calls wait already */
  run<T>(call: (endpoint: Endpoint) => Promise<T>): Promise<T>;
  useNext(): void;
  /** Uses the next one, if this one is still in use: what several calls have found out at once is done once. */
  passOver(endpoint: Endpoint): void;
}

export const MAX_CONCURRENT_CALLS = 32;
const MAX_WAITING = 10_000;
const MAX_BACKOFF_MS = 2_000;
/** Failures in a row after which an endpoint is not called, and for how long. */
const FAILURES_TO_OPEN = 8;
const OPEN_MS = 2_000;

/** Calls several endpoints as one: retries with back-off, a circuit breaker for each, and a concurrency limit. */
export function createFailover<Endpoint>(options: FailoverOptions<Endpoint>): Failover<Endpoint> {
  const { attempts = 4, backoffMs = 200, maxConcurrent = MAX_CONCURRENT_CALLS, signal } = options;
  const { onFailure, onAnswer } = options;
  if (options.endpoints.length === 0) throw new Error('a network needs at least one URL');
  const isFailure = (error: Error): boolean => !signal.aborted && options.isRefusal?.(error) !== true;
  const isOfEndpoint = (error: Error): boolean => isFailure(error) && options.mayBeOfCall?.(error) !== true;
  const endpoints = options.endpoints.map(endpoint => {
    // An endpoint of another network answers, and has to be asked whether it still is.
    const breaker = circuitBreaker(
      handleWhen(error => isOfEndpoint(error) && !(error instanceof WrongNetwork)),
      {
        halfOpenAfter: OPEN_MS,
        breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
      },
    );
    const state = { endpoint, breaker, openUntil: 0, pausedUntil: 0, failure: null as Error | null };
    breaker.onBreak(() => (state.openUntil = Date.now() + OPEN_MS));
    return state;
  });
  type State = (typeof endpoints)[number];
  const limit = bulkhead(maxConcurrent, MAX_WAITING);
  const retries = retry(handleWhen(isFailure), {
    maxAttempts: attempts - 1,
    backoff: new ExponentialBackoff({ initialDelay: backoffMs, maxDelay: MAX_BACKOFF_MS }),
  });

  const pauseOf = ({ pausedUntil }: State): number => Math.max(pausedUntil - Date.now(), 0);
  const mayBeCalled = ({ breaker, openUntil }: State): boolean =>
    breaker.state === CircuitState.Closed || (breaker.state === CircuitState.Open && Date.now() >= openUntil);

  let current = 0;
  const useNext = (): void => {
    current = (current + 1) % endpoints.length;
  };
  /** The one in use, or the next that may be called; of those that asked for a pause, the one whose ends first. */
  const choose = (): State => {
    const inOrder = endpoints.map((_, offset) => endpoints[(current + offset) % endpoints.length]!);
    const callable = inOrder.filter(mayBeCalled);
    const chosen = [...(callable.length > 0 ? callable : inOrder.slice(0, 1))].sort(
      (one, other) => pauseOf(one) - pauseOf(other),
    )[0]!;
    current = endpoints.indexOf(chosen);
    return chosen;
  };
  const failed = (state: State, error: Error): void => {
    state.pausedUntil = Math.max(state.pausedUntil, Date.now() + (options.pauseMs?.(error) ?? 0));
    if (!isOfEndpoint(error)) return;
    state.failure = error;
    onFailure?.(state.endpoint, error);
  };
  const attempt = async <T>(call: (endpoint: Endpoint) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const chosen = choose();
    const pauseMs = pauseOf(chosen);
    if (pauseMs > 0) await pause(pauseMs, signal);
    signal.throwIfAborted();
    const began = performance.now();
    try {
      const answer = await chosen.breaker.execute(() => call(chosen.endpoint));
      onAnswer?.(chosen.endpoint, began);
      return answer;
    } catch (thrown) {
      const isUncalled = thrown instanceof BrokenCircuitError;
      // Why it is not called says more than that it is not.
      const error = isUncalled && chosen.failure ? chosen.failure : errorOf(thrown);
      if (isFailure(error)) {
        if (!isUncalled) failed(chosen, error);
        if (endpoints[current] === chosen) useNext();
      }
      throw error;
    }
  };

  return {
    run: call => limit.execute(() => retries.execute(() => attempt(call), signal)),
    useNext,
    passOver(endpoint) {
      if (endpoints[current]!.endpoint === endpoint) useNext();
    },
  };
}

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Waits, or returns early when the signal fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
