import { clientId } from '../client/client-id';
import { answerToEvents, openEvents, type Reader } from '../client/events';
import { tryPost } from '../client/post';
import { randomAddress, type Answer, type Bridge } from '../client/request';
import { until } from '../../until';

const ORIGIN = 'https://dapp.example';

export interface Limits {
  /** Messages that one address may post in a minute. */
  readonly messages: number;
  /** Connections that one address may have. */
  readonly streams: number;
}

/** What one address may do. */
export function limits(bridge: () => Bridge, { messages, streams }: Limits): void {
  const expectTooMany = ({ status, headers, json }: Answer): void => {
    expect({ status, json }).toMatchObject({ status: 429, json: { statusCode: 429 } });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(['*', ORIGIN]).toContain(headers['access-control-allow-origin']);
    expect(headers['access-control-expose-headers']?.toLowerCase()).toContain('retry-after');
  };

  const postFrom = (address: string): Promise<Answer> =>
    tryPost(bridge(), { from: clientId(), to: clientId(), address, headers: { origin: ORIGIN } });

  test('too many messages of an address: 429 that says when to come back, and others are served', async () => {
    const address = randomAddress();
    let refused: Answer | undefined;
    // A window may end in between.
    for (let n = 0; n <= 2 * messages && !refused; n++) {
      const answer = await postFrom(address);
      if (answer.status !== 200) refused = answer;
    }
    expectTooMany(refused!);
    expect((await postFrom(randomAddress())).status).toBe(200);
    // What a caller writes in front of what the proxy appends is not believed.
    expect((await postFrom(`${randomAddress()}, ${address}`)).status).toBe(429);
  });

  test('too many connections of an address: 429, until one of them is closed', async () => {
    const address = randomAddress();
    const headers = { origin: ORIGIN };
    const readers: Reader[] = [];
    while (readers.length < streams)
      readers.push(await openEvents(bridge(), clientId(), { address, headers }));
    const another = (): Promise<Answer> =>
      answerToEvents(bridge(), { client_id: clientId() }, { address, headers });
    expectTooMany(await another());
    (await openEvents(bridge(), clientId())).close();
    readers.pop()!.close();
    await until(async () => (await another()).status === 200);
    for (const reader of readers) reader.close();
  });
}
