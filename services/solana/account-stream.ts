import { immutable } from '../../contracts/http/immutable-response';
import { solanaAccountStream, type SolanaAccountFrame } from '../../contracts/http/solana-account-stream';
import { bind, type Binding } from '../http/binding';
import { createAccountNotifier, type AccountNotifierDeps } from './account-stream-notifier';

const CONNECTED: SolanaAccountFrame = immutable({ event: 'connected' });
const HEARTBEAT: SolanaAccountFrame = immutable({ event: 'heartbeat' });

/** The stream of an account's changes. One notifier serves all connections of the process. */
export function accountStream(deps: AccountNotifierDeps): Binding {
  const notifier = createAccountNotifier(deps);
  return bind(
    solanaAccountStream,
    async ({ params, signal }, socket) => {
      const newest = newestOf<SolanaAccountFrame>(signal);
      const { ready, stop } = notifier.watch(params, newest.put);
      signal.addEventListener('abort', stop, { once: true });
      await ready;
      // Every change from here on is told.
      await socket.send(CONNECTED);
      for (let frame = await newest.take(); frame !== null; frame = await newest.take())
        await socket.send(frame);
    },
    { heartbeat: HEARTBEAT },
  );
}

/** Holds one value: a slow client gets the newest, instead of a growing queue. */
function newestOf<T>(signal: AbortSignal) {
  let value: T | null = null;
  let wake = (): void => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    put(next: T): void {
      value = next;
      wake();
    },
    /** Waits for a value; null when the signal has fired. */
    async take(): Promise<T | null> {
      if (value === null && !signal.aborted) await new Promise<void>(resolve => (wake = resolve));
      const taken = signal.aborted ? null : value;
      value = null;
      return taken;
    },
  };
}
