import { backlog } from '../client/backlog';
import { clientId } from '../client/client-id';
import { tryPost } from '../client/post';
import type { Answer, Bridge } from '../client/request';

const BODY = 'x'.repeat(200 * 1024);
/** In all 200 MiB. */
const MAX_POSTS = 1_024;

/** What waits for one recipient is bounded. */
export function fullMailbox(bridge: () => Bridge): void {
  test('a recipient for whom too much waits: 429 that says until when, and nothing accepted is lost', async () => {
    const [from, to] = [clientId(), clientId()];
    const accepted: string[] = [];
    let refused: Answer | undefined;
    for (let n = 0; n < MAX_POSTS && !refused; n++) {
      const body = `${n} ${BODY}`;
      const answer = await tryPost(bridge(), { from, to, body, headers: { origin: 'https://dapp.example' } });
      if (answer.status === 200) accepted.push(body);
      else refused = answer;
    }
    expect(refused).toMatchObject({ status: 429, json: { statusCode: 429 } });
    expect(Number(refused!.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused!.headers).toHaveProperty('access-control-allow-origin');
    expect(accepted.length).toBeGreaterThan(4);
    const waiting = await backlog(bridge(), to);
    expect(waiting.map(({ message }) => message)).toEqual(accepted);

    // A repeated message that was accepted is acknowledged; other recipients are served.
    expect((await tryPost(bridge(), { from, to, body: accepted[0]! })).status).toBe(200);
    expect((await tryPost(bridge(), { from, to: clientId() })).status).toBe(200);
  });
}
