import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BridgeClients, BridgeQuestion, Sent } from '../bridge';

/** Streams opened at a time. */
const OPENING = 64;
/** Requests at a time: more than are on their way while a server waits for its disk. */
const CONNECTIONS = 256;
/** A machine has some 28,000 ports for each address. */
const SOURCES = 100;
/** What a transaction request has when it is encrypted, about. */
const FILL = 'A'.repeat(400);
const DIGITS = 12;
const MARK = '"message":"';
const ANSWERED = '"statusCode":';
const TICK_MS = 1;
/** After so long without any message the rest is lost. */
const LOST_AFTER_MS = 15_000;
const TTL = 300;

type Post = (to: string, n: number, ttl: number, acknowledged: () => void) => void;

type Answers = {
  readonly [Name in keyof BridgeClients]: (
    ...question: Parameters<BridgeClients[Name]>
  ) => Promise<ReturnType<BridgeClients[Name]>> | ReturnType<BridgeClients[Name]>;
};

interface Stream {
  readonly ids: readonly string[];
  readonly socket: Socket;
  /** The beginning of a line. */
  rest: string;
  heartbeats: number;
}

const clientIds = (count: number): string[] =>
  Array.from({ length: count }, () => randomBytes(32).toString('hex'));

/**
 * Program: dApps and wallets of a bridge, so simple that they take little time themselves: requests and streams are text on
 * sockets. Senders and receivers are one process, so that one clock measures both.
 */
function bridgeClients(base: string): Answers {
  const { host, hostname, port, pathname } = new URL(base);
  const path = pathname === '/' ? '' : pathname;
  const sender = clientIds(1)[0]!;
  const streams: Stream[] = [];
  /** Client ids that messages wait for. */
  let absent: string[] = [];
  let opened = 0;
  let onMessage: (n: number, stream: Stream) => void = () => undefined;

  const dial = (): Socket => {
    opened += 1;
    const localAddress = `127.0.0.${2 + (opened % SOURCES)}`;
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.setNoDelay(true);
    return socket;
  };

  const receive = (stream: Stream, chunk: Buffer): void => {
    const text = stream.rest + chunk.toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    for (let at = text.indexOf(MARK); at >= 0 && at < end; at = text.indexOf(MARK, at + 1)) {
      const from = at + MARK.length;
      onMessage(Number(text.slice(from, from + DIGITS)), stream);
    }
    if (text.includes('heartbeat')) stream.heartbeats += 1;
    stream.rest = text.slice(end);
  };

  /** Resolves when the server has answered. */
  const open = (ids: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = dial();
      const stream: Stream = { ids, socket, rest: '', heartbeats: 0 };
      streams.push(stream);
      socket.once('data', chunk => {
        if (chunk.toString('latin1', 9, 12) === '200') resolve();
        else reject(new Error(chunk.toString('latin1')));
      });
      socket.on('data', chunk => receive(stream, chunk));
      socket.on('error', reject);
      socket.write(
        `GET ${path}/events?client_id=${ids.join()} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n` +
          'Origin: https://app.example.com\r\nConnection: keep-alive\r\n\r\n',
      );
    });

  /** A connection for requests. @returns a function that sends a message, and calls back when it was acknowledged */
  const poster = (): Post => {
    const socket = dial();
    let text = '';
    let done: (() => void) | null = null;
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      if (!text.includes(ANSWERED)) return;
      if (!text.startsWith('HTTP/1.1 200')) throw new Error(text);
      text = '';
      const acknowledged = done!;
      done = null;
      acknowledged();
    });
    // One that is not used for long is closed by the server.
    socket.on('close', () => {
      if (done) throw new Error('the connection was closed before the answer');
      idle = idle.filter(each => each !== post);
    });
    const post = (to: string, n: number, ttl: number, acknowledged: () => void): void => {
      done = acknowledged;
      const body = String(n).padStart(DIGITS, '0') + FILL;
      socket.write(
        `POST ${path}/message?client_id=${sender}&to=${to}&ttl=${ttl}&topic=sendTransaction HTTP/1.1\r\nHost: ${host}\r\n` +
          'Origin: https://app.example.com\r\nContent-Type: text/plain\r\n' +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    };
    return post;
  };
  let idle: Post[] = [];
  let sent = 0;

  /** Each connection sends its next message when the last was acknowledged. */
  const postAll = (count: number, toOf: (n: number) => string, ttl: number, sending: (n: number) => void) =>
    new Promise<void>(resolve => {
      const first = sent;
      let [left, open] = [count, 0];
      const next = (post: Post): void => {
        if (left-- > 0) {
          const n = sent++;
          sending(n);
          return post(toOf(n - first), n, ttl, () => next(post));
        }
        idle.push(post);
        if (--open === 0) resolve();
      };
      const posts = Array.from({ length: CONNECTIONS }, () => idle.pop() ?? poster());
      open = posts.length;
      posts.forEach(next);
    });

  /** Sends at a rate, whether or not earlier messages are acknowledged, until `isOver`. */
  const postSteadily = async (
    perSecond: number,
    isOver: (sentSoFar: number) => boolean,
    to: readonly string[],
    sending: (n: number) => void,
  ) => {
    const began = performance.now();
    let open = 0;
    for (let n = 0; !isOver(n); await sleep(TICK_MS))
      for (
        const due = Math.floor(((performance.now() - began) / 1_000) * perSecond);
        n < due && !isOver(n);
        n++
      ) {
        const post = idle.pop() ?? poster();
        open += 1;
        sending(sent);
        post(to[n % to.length]!, sent++, TTL, () => {
          open -= 1;
          idle.push(post);
        });
      }
    while (open > 0) await sleep(TICK_MS);
  };

  /** Records when messages are sent and received. */
  const observe = () => {
    const first = sent;
    const [sentAt, latencies]: [number[], number[]] = [[], []];
    let [received, duplicates, last] = [0, 0, performance.now()];
    onMessage = n => {
      if (n < first) return;
      if (latencies[n - first] !== undefined) return void (duplicates += 1);
      last = performance.now();
      latencies[n - first] = last - sentAt[n - first]!;
      received += 1;
    };
    const began = performance.now();
    return {
      sending: (n: number): void => void (sentAt[n - first] = performance.now()),
      async result(): Promise<Sent> {
        const count = sent - first;
        while (received < count && performance.now() - last < LOST_AFTER_MS) await sleep(TICK_MS);
        onMessage = () => undefined;
        return {
          seconds: (last - began) / 1_000,
          latencies: latencies.filter(each => each !== undefined),
          lost: count - received,
          duplicates,
        };
      },
    };
  };

  const recipients = (): string[] => streams.flatMap(({ ids }) => ids);

  return {
    async open({ streams: count, idsEach }) {
      let left = count;
      const openSome = async (): Promise<void> => {
        while (left-- > 0) await open(clientIds(idsEach));
      };
      await Promise.all(Array.from({ length: OPENING }, openSome));
      return streams.length;
    },
    async send({ messages, perSecond }) {
      const to = recipients();
      const { sending, result } = observe();
      if (perSecond) await postSteadily(perSecond, n => n >= messages, to, sending);
      else await postAll(messages, n => to[n % to.length]!, TTL, sending);
      return result();
    },
    async leave({ ids, ttl, reconnect }) {
      if (reconnect) absent = clientIds(ids);
      await postAll(
        ids,
        n => (reconnect ? absent[n]! : clientIds(1)[0]!),
        ttl,
        () => undefined,
      );
    },
    async storm({ perSecond }) {
      const to = recipients();
      const others = observe();
      const observed = onMessage;
      const waiting = new Set(absent);
      let [over, served] = [false, 0];
      const steadily = postSteadily(perSecond, () => over, to, others.sending);
      await sleep(1_000);
      onMessage = (n, stream) => {
        if (!waiting.delete(stream.ids[0]!)) return observed(n, stream);
        served += 1;
      };
      const began = performance.now();
      const [count, opening] = [absent.length, absent.map(id => open([id]))];
      await Promise.all(opening);
      while (served < count && performance.now() - began < 60_000) await sleep(TICK_MS);
      const seconds = (performance.now() - began) / 1_000;
      over = true;
      await steadily;
      return { seconds, unserved: waiting.size, others: await others.result() };
    },
    async heartbeats(count) {
      const due = streams.map(stream => stream.heartbeats + count);
      while (streams.some((stream, n) => stream.heartbeats < due[n]!)) await sleep(100);
    },
    close: () => streams.splice(0).forEach(({ socket }) => socket.destroy()),
    cpu: () => process.cpuUsage(),
  };
}

const clients = bridgeClients(process.argv[2]!);
process.on('message', ([name, question]: BridgeQuestion) => {
  Promise.resolve((clients[name] as (question: unknown) => unknown)(question)).then(
    answer => process.send!(answer ?? 'done'),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.once('SIGTERM', () => process.exit(0));
