import { formatTonAddress } from '../../contracts/account/address';
import { walletRequestStream, type WalletRequestFrame } from '../../contracts/http/connect/wallet-requests';
import type { WalletRequestDocument } from '../../projections/wallet-requests/wallet-requests';
import { bind, type Binding } from '../http/binding';
import type { Socket } from '../http/websocket/socket';
import { tonAccount, type TonAccount } from '../../contracts/account/ton-account';
import type { WalletRequestDeps } from './deps';
import { listIncoming } from './list';
import { createRequestNotifier, type Watcher } from './notifier';
import { showRequests, type WalletRequestView } from './view';

type Changes = Parameters<Watcher>[0];
type Client = Socket<{ readonly type: string }, WalletRequestFrame>;

const HEARTBEAT: WalletRequestFrame = { event: 'heartbeat', data: {} };
const PONG: WalletRequestFrame = { event: 'pong', data: {} };

/** The stream of requests to a wallet. One notifier serves all connections of the process. */
export function walletRequestStreamBinding(deps: WalletRequestDeps): Binding {
  const notifier = createRequestNotifier(deps);
  return bind(
    walletRequestStream,
    async ({ params }, socket) => {
      const account = tonAccount(params.address, params.network, '/path/network');
      const sender = createSender(deps, account, socket);
      const { ready, stop } = notifier.watch(account, sender.onChange);
      sender.begin(ready);
      try {
        await Promise.race([sender.failed, serve(socket)]);
      } finally {
        stop();
      }
    },
    { heartbeat: HEARTBEAT },
  );
}

/** Answers the client until it leaves. */
async function serve(socket: Client): Promise<void> {
  for await (const { type } of socket.messages) {
    if (type === 'unsubscribe') return socket.close();
    if (type === 'ping') await socket.send(PONG);
    else
      await socket.send({
        event: 'error',
        data: { message: 'unknown type of message', type: 'unknown_type' },
      });
  }
}

/** Sends what is pending, and then what changes, one after the other. */
function createSender(deps: WalletRequestDeps, account: TonAccount, socket: Client) {
  /** Requests that the client knows from a list: a change may be notified of that the list has already. */
  const listed = new Set<string>();
  let sending = Promise.resolve();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const enqueue = (send: () => Promise<void>): void => {
    sending = sending.then(send);
    sending.catch(error => fail(error));
  };

  async function sendPending(): Promise<void> {
    const shown = await showRequests(deps, await listIncoming(deps, account));
    const requests = shown.filter(({ status }) => status === 'pending');
    listed.clear();
    for (const { requestId } of requests) listed.add(requestId);
    await socket.send({ event: 'pending_requests', data: { requests } });
  }

  async function sendChanges(changed: Changes): Promise<void> {
    if (!changed) return sendPending();
    const shown = await showRequests(deps, changed);
    for (const [i, document] of changed.entries()) {
      const request = shown[i]!;
      const type = notificationOf(document, request);
      if (type === null || (type === 'new_request' && listed.delete(request.requestId))) continue;
      await socket.send({ event: 'notification', data: { type, request } });
    }
  }

  return {
    /** Rejects when something cannot be read or sent. */
    failed,
    onChange: (changed: Changes): void => enqueue(() => sendChanges(changed)),
    begin(ready: Promise<void>): void {
      const walletAddress = formatTonAddress(account.address, account.network, false);
      const timestamp = Math.floor(deps.clock().getTime() / 1_000);
      enqueue(() => ready);
      enqueue(() => socket.send({ event: 'connected', data: { walletAddress, timestamp } }));
      enqueue(sendPending);
    },
  };
}

/** What a wallet is notified of; null: nothing that concerns it. Only its confirmant is notified of a new request. */
function notificationOf({ status, role }: WalletRequestDocument, request: WalletRequestView) {
  if (status === 'expired') return 'expired';
  if (status !== 'pending') return 'request_response';
  return role === 'confirmant' && request.status === 'pending' ? 'new_request' : null;
}
