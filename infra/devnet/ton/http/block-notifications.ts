import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { formatTonAddress } from '../../../../contracts/account/address';
import type { IsAllowed } from '../../../config/allowed-hosts';
import { refuseUpgrade } from '../../refuse-host';
import type { Block } from '../chain/block';
import type { Chain } from '../chain/chain';

const SEQNOS = '/block/watch';
const CHANGES = '/block/watch/changed';

/** A client that is this many bytes behind is disconnected: it can read the blocks later. */
const MAX_BUFFERED_BYTES = 1 << 20;

/** The wallet refuses a frame without `lastUtime`, the time of the block. */
function changes({ ledger }: Chain, { seqno, utime }: Block): string {
  const changed: Record<string, { lt: string; hash: string }> = {};
  for (const { account, lt, hash } of ledger.transactionsOf(seqno)) {
    changed[formatTonAddress(account, 'mainnet')] = {
      lt: lt.toString(),
      hash: hash.toString('base64'),
    };
  }
  return JSON.stringify({ seqno, lastUtime: utime, changed });
}

/** Notifies WebSockets of every block: its seqno on `/block/watch`, the accounts it changed on `/block/watch/changed`. */
export function watchBlocks(
  server: Server,
  chain: Chain,
  now: () => number,
  isAllowed: IsAllowed,
): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  const paths = new Map([SEQNOS, CHANGES].map(path => [path, new Set<WebSocket>()]));

  server.on('upgrade', (request, socket, head) => {
    if (!isAllowed(request.headers)) return refuseUpgrade(socket);
    socket.on('error', () => socket.destroy());
    const clients = paths.get(request.url?.split('?')[0] ?? '');
    if (!clients) {
      // `end` alone leaves the client's side open, and the descriptor with it.
      socket.once('finish', () => socket.destroy());
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, client => {
      clients.add(client);
      client.on('close', () => clients.delete(client));
      client.on('error', () => client.terminate());
    });
  });

  const broadcast = (path: string, text: () => string): void => {
    const clients = paths.get(path)!;
    if (clients.size === 0) return;
    const message = text();
    for (const client of clients) {
      if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.terminate();
      else client.send(message);
    }
  };

  const stop = chain.onBlock(block => {
    const { seqno, utime } = block;
    broadcast(SEQNOS, () => JSON.stringify({ seqno, time: utime, now: Math.floor(now() / 1000) }));
    broadcast(CHANGES, () => changes(chain, block));
  });
  return () => {
    stop();
    for (const clients of paths.values()) for (const client of clients) client.terminate();
    sockets.close();
  };
}
