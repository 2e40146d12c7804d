import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectGarbageSoon } from '../../../test/collect-garbage';
import { createHttpIssuer } from './http-issuer';

const { signal } = new AbortController();

it.each(['head', 'body'])(
  'does not wait for an issuer without the end of a %s, also when memory is collected meanwhile',
  async part => {
    const server = createServer((_request, response) => {
      if (part === 'body') response.writeHead(200).write('{');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const issuer = createHttpIssuer({ url, key: 'key', sandbox: true, timeoutMs: 200 });
    collectGarbageSoon();
    await expect(issuer.answerChallenge('challenge', true, { signal })).rejects.toThrow('no answer');
    server.closeAllConnections();
    server.close();
    await issuer.close();
  },
);
