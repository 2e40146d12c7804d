import { connect } from 'node:net';
import { backlog, bodies, isAscending } from '../client/backlog';
import { clientId } from '../client/client-id';
import { openEvents } from '../client/events';
import { post } from '../client/post';
import type { Bridge } from '../client/request';
import { until } from '../../until';

const MESSAGES = 128;
const AT_ONCE = 16;
/** More than the buffers of both ends of a connection hold, so that the bridge notices that nobody reads. */
const BODY = 'x'.repeat(64 * 1024);

/** Of the largest size: a page of each stream, as it was read from the mailbox, would be two gigabytes together. */
const LARGE_MESSAGES = 16;
const UNREAD_STREAMS = 190;

const STUCK_READERS = 50;
const STUCK_MESSAGES = 200;

/** Memory of the program, as it reports it. */
async function residentBytes({ operatorsUrl }: Bridge): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', operatorsUrl))).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)![1]);
}

/** A client that is connected and does not read: nothing is skipped behind its back. */
export function slowReader(bridge: () => Bridge): void {
  test('it misses nothing once it reads again, and holds up nobody', async () => {
    const to = clientId();
    const from = Array.from({ length: AT_ONCE }, clientId);
    const [slow, quick] = [await openEvents(bridge(), to), await openEvents(bridge(), to)];
    slow.pause();
    const sent = Array.from({ length: MESSAGES }, (_, index) => `${index} ${BODY}`);
    for (let first = 0; first < MESSAGES; first += AT_ONCE)
      await Promise.all(
        sent.slice(first, first + AT_ONCE).map((body, at) => post(bridge(), { from: from[at]!, to, body })),
      );
    await until(() => quick.messages.length === MESSAGES);
    expect(isAscending(quick.messages)).toBe(true);
    expect(bodies(quick.messages).sort()).toEqual([...sent].sort());
    quick.close();

    slow.resume();
    await until(() => slow.isOver || slow.messages.length === MESSAGES);
    const last = slow.messages.at(-1)?.id ?? 0;
    slow.close();
    const rest = await backlog(bridge(), to, { query: { last_event_id: String(last) } });
    expect([...slow.messages, ...rest]).toEqual(quick.messages);
  });

  test('many that do not read do not fill the memory of the bridge', async () => {
    const ids = Array.from({ length: 4 }, clientId);
    const before = await residentBytes(bridge());
    const readers = await Promise.all(Array.from({ length: STUCK_READERS }, () => openEvents(bridge(), ids)));
    for (const reader of readers) reader.pause();
    const from = clientId();
    for (let n = 0; n < STUCK_MESSAGES; n++)
      await post(bridge(), { from, to: ids[n % ids.length]!, body: `${n} ${BODY}` });
    const grown = (await residentBytes(bridge())) - before;
    for (const reader of readers) reader.close();
    expect(grown).toBeLessThan((STUCK_READERS * STUCK_MESSAGES * BODY.length) / 3);
  });

  test('one address that opens streams and reads none costs the bridge a bounded part of its memory', async () => {
    const to = clientId();
    for (let n = 0; n < LARGE_MESSAGES; n++)
      await post(bridge(), { from: clientId(), to, body: `${n}`.padEnd(256 * 1024, 'x') });
    const before = await residentBytes(bridge());
    const { hostname, port } = new URL(bridge().url);
    const sockets = Array.from({ length: UNREAD_STREAMS }, () => {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => undefined);
      socket.write(
        `GET /tonconnect/events?client_id=${to} HTTP/1.1\r\nHost: bridge\r\nX-Forwarded-For: 192.0.2.77\r\n\r\n`,
      );
      return socket;
    });
    // The connection of a reader comes after theirs, and its messages come whole.
    await backlog(bridge(), to);
    await backlog(bridge(), to);
    const grown = (await residentBytes(bridge())) - before;
    const read = await backlog(bridge(), to);
    for (const socket of sockets) socket.destroy();
    expect(bodies(read).map(body => body.replace(/x+$/, ''))).toEqual(
      Array.from({ length: LARGE_MESSAGES }, (_, n) => `${n}`),
    );
    expect(grown).toBeLessThan(400_000_000);
  });
}
