import { Redis } from 'ioredis';
import { openRedisWakeUps } from '../../../infra/engines/wake-ups/redis';

const NEVER = 600_000;

/** The monotonic clock that all processes of the machine share, in nanoseconds. */
const nowNs = (): void => void process.send!(process.hrtime.bigint().toString());

/** Program: reports the time of each wake-up, by the port or by a bare subscription. */
async function main(manner: string, url: string, name: string): Promise<void> {
  if (manner === 'bare') {
    const client = new Redis(url);
    client.on('message', nowNs);
    await client.subscribe(name);
    process.send!('ready');
    return;
  }
  const wakeUps = await openRedisWakeUps({ url });
  let changed = wakeUps.wait([name], NEVER);
  process.send!('ready');
  for (;;) {
    await changed;
    changed = wakeUps.wait([name], NEVER);
    nowNs();
  }
}

void main(process.argv[2]!, process.argv[3]!, process.argv[4]!);
