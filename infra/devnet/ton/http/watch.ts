import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { friendlyTonAddress } from '../../../../contracts/address';
import type { Block } from '../chain/block';
import type { Chain } from '../chain/chain';

const SEQNOS = '/block/watch';
const CHANGES = '/block/watch/changed';

/** A client that is this many bytes behind is cut off: it can look the blocks up. */
const FARTHEST_BEHIND = 1 << 20;

function changes({ ledger }: Chain, { seqno }: Block): string {
  const changed: Record<string, { lt: string; hash: string }> = {};
  for (const { account, lt, hash } of ledger.transactionsOf(seqno)) {
    changed[friendlyTonAddress(account, 'mainnet')] = {
      lt: lt.toString(),
      hash: hash.toString('base64'),
    };
  }
  return JSON.stringify({ seqno, changed });
}

/** WebSockets that hear of every block: its number on `/block/watch`, the accounts it touched on `/block/watch/changed`. */
export function watchBlocks(server: Server, chain: Chain, now: () => number): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  const paths = new Map([SEQNOS, CHANGES].map(path => [path, new Set<WebSocket>()]));

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const audience = paths.get(request.url?.split('?')[0] ?? '');
    if (!audience) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, client => {
      audience.add(client);
      client.on('close', () => audience.delete(client));
      client.on('error', () => client.terminate());
    });
  });

  const broadcast = (path: string, text: () => string): void => {
    const audience = paths.get(path)!;
    if (audience.size === 0) return;
    const message = text();
    for (const client of audience) {
      if (client.bufferedAmount > FARTHEST_BEHIND) client.terminate();
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
    for (const audience of paths.values()) for (const client of audience) client.terminate();
    sockets.close();
  };
}
