import { clientId } from '../bridge/client/client-id';
import { isAscending } from '../bridge/client/backlog';
import { follow } from '../bridge/client/follow';
import { paced } from '../bridge/client/paced';
import { postUntilAcknowledged } from '../bridge/client/retry-post';
import { BRIDGE_SETTINGS, bridgeOf } from '../bridge/program';
import { spawnTidemark, type Tidemark } from '../e2e/tidemark';
import { scaled } from '../random';
import { freePorts } from '../servers/program';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';

const MESSAGES = Math.min(scaled(1_000), 10_000);
/** Some are posted while the program is down, at a small scale too. */
const PER_SECOND = MESSAGES / 20;
const RECIPIENTS = 20;
/** After how many acknowledged messages the program is ended, and how. */
const ENDS = [
  [MESSAGES / 4, 'SIGKILL'],
  [MESSAGES / 2, 'SIGTERM'],
  [(MESSAGES * 3) / 4, 'SIGKILL'],
] as const;

const folder = temporaryFolder();

test(`${MESSAGES} messages arrive exactly once each while the bridge is killed and restarted`, async () => {
  const [port] = await freePorts(1);
  const settings = { DATA_DIR: folder, ...BRIDGE_SETTINGS, PORT: String(port) };
  const start = (): Promise<Tidemark> => spawnTidemark(settings).ready();
  let program = await start();
  const bridges = [bridgeOf(program)];

  const ids = Array.from({ length: RECIPIENTS }, clientId);
  // A wallet with many sessions, whose cursor is one for all, and dApps of one session each.
  const wallet = follow(bridges, ids.slice(0, RECIPIENTS / 2));
  const dapps = ids.slice(RECIPIENTS / 2).map(id => follow(bridges, [id]));
  const followers = [wallet, ...dapps];
  const senders = Array.from({ length: RECIPIENTS }, clientId);

  let acknowledged = 0;
  const posting = paced(MESSAGES, PER_SECOND, async index => {
    const of = index % RECIPIENTS;
    await postUntilAcknowledged(bridges, { from: senders[of]!, to: ids[of]!, body: `message ${index}` });
    acknowledged++;
  });
  const failed = posting.then(() => new Promise<never>(() => undefined));
  for (const [ends, [count, signal]] of ENDS.entries()) {
    // On a slow machine a follower may not have come back yet.
    const isDue = (): boolean =>
      acknowledged >= count && followers.every(({ connections }) => connections > ends);
    await Promise.race([failed, until(isDue, Boolean, 600_000)]);
    const ended = signal === 'SIGKILL' ? { code: null, signal } : { code: 0, signal: null };
    expect(await program.kill(signal)).toEqual(ended);
    program = await start();
  }
  await posting;

  const received = (): number => followers.reduce((sum, { messages }) => sum + messages.length, 0);
  await until(() => received() >= MESSAGES, Boolean, 600_000);
  for (const follower of followers) await follower.stop();
  const expected = Array.from({ length: MESSAGES }, (_, index) => `message ${index}`).sort();
  const messages = followers.flatMap(follower => follower.messages.map(({ message }) => message));
  expect(messages.sort()).toEqual(expected);
  for (const follower of followers) {
    expect(isAscending(follower.messages)).toBe(true);
    expect(follower.connections).toBeGreaterThan(ENDS.length);
  }
  expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
