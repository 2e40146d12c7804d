import type { Mailbox } from '../../../contracts/ports/mailbox';
import { openRedisMailbox } from '../../../infra/engines/mailbox/redis/redis-mailbox';
import { openSqliteMailbox } from '../../../infra/engines/mailbox/sqlite/sqlite-mailbox';

const LANES = 8;

const open = async (engine: string, place: string, prefix = ''): Promise<Mailbox> =>
  engine === 'sqlite' ? openSqliteMailbox({ path: place }) : openRedisMailbox({ url: place, prefix });

/** Posts to the recipients in turn, and sends each acknowledged message to its parent. */
const post = async (to: readonly string[], at: readonly string[]): Promise<void> => {
  const mailbox = await open(at[0]!, at[1]!, at[2]);
  const lane = async (name: number): Promise<void> => {
    for (let n = 0; ; n += 1) {
      const body = `${process.pid} ${name}/${n}`;
      const { id } = await mailbox.post({ from: 'ann', to: to[n % to.length]!, body, ttlMs: 300_000 });
      process.send!({ id, body });
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, n) => lane(n)));
};

const args = process.argv.slice(2);
void post(args.slice(0, args.indexOf('--')), args.slice(args.indexOf('--') + 1));
