import type { AddressInfo } from 'node:net';
import express from 'express';

/** A fixed answer at a path, to GET, and to POST after parsing the body as JSON. */
export interface FixedAnswer {
  readonly path: string;
  readonly json: unknown;
}

/** Program: bare Express with fixed answers: the floor of an endpoint. */
const app = express();
const server = app.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
app.get('/ready', (_request, response) => void response.json({ ready: true }));

process.on('message', (message: FixedAnswer | 'cpu') => {
  if (message === 'cpu') return void process.send!(process.cpuUsage());
  const { path, json } = message;
  app.get(path, (_request, response) => void response.json(json));
  app.post(path, express.json(), (_request, response) => void response.json(json));
  process.send!('answering');
});
