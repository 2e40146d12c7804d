import { once } from 'node:events';
import { immutable } from '../../contracts/http/immutable-response';
import { solanaAccountStream, type SolanaAccountFrame } from '../../contracts/http/solana/account-stream';
import { Problem } from '../../contracts/problem/problem';
import { SOLANA_TRANSACTION_COLLECTIONS } from '../../projections/solana/transactions/queries';
import { bind, type Binding } from '../http/binding';
import { createAccountNotifier, type AccountNotifierDeps } from './account-stream-notifier';
import type { AccountMessage } from './account-stream-state';

const CONNECTED: SolanaAccountFrame = immutable({ event: 'connected' });
const HEARTBEAT: SolanaAccountFrame = immutable({ event: 'heartbeat' });

/** The stream of an account's changes. One notifier serves all connections of the process. */
export function accountStream(deps: AccountNotifierDeps): Binding {
  const notifier = createAccountNotifier(deps);
  return bind(
    solanaAccountStream,
    async (call, socket) => {
      const { params, signal } = call;
      await deps.views.expectReadable([...SOLANA_TRANSACTION_COLLECTIONS, deps.accounts.collection]);
      await deps.watch({ chain: 'solana', ...params }, call).catch((error: unknown) => {
        // After an outage the notifier has it watched.
        if (error instanceof Problem) throw error;
      });
      if (signal.aborted) return;
      let isConnected = false;
      let early: AccountMessage | null = null;
      const { ready, current, stop } = notifier.watch(params, call, message => {
        if (isConnected) socket.sendNewest(message);
        else early = message;
      });
      signal.addEventListener('abort', stop, { once: true });
      await ready;
      // Clients are notified of every change from here on.
      await socket.send(CONNECTED);
      isConnected = true;
      const known = early ?? current();
      // What happened while a client was away it is told when it connects again.
      if (known) void socket.send(known);
      if (!signal.aborted) await once(signal, 'abort');
    },
    { heartbeat: HEARTBEAT },
  );
}
