import { openDatabase } from '../../sqlite/database';
import { groupCommit } from '../../sqlite/group-commit';
import { IMPATIENT, patiently } from '../../sqlite/patience';
import { layOut } from '../../sqlite/schema';
import { createBells } from '../bells';
import { follow } from '../follow';
import type { Limits, Mailbox, MailboxFull, Posted } from '../../../../contracts/ports/mailbox';
import { checkLimit, LIMITS, type Parcel, parcel, recipients } from '../rules';
import { inserter } from './insert';
import { createReader } from './reader';
import { createRinging } from './ringing';
import { DDL, LAYOUT } from './schema';
import { sweeper } from './sweep';

export interface SqliteMailboxOptions {
  readonly path: string;
  /** For each recipient; default 10,000 messages and 16 MiB. */
  readonly limits?: Limits;
  /** Milliseconds since the epoch; default: the clock of the machine, which all processes at the file must share. */
  readonly clock?: () => number;
}

/** Milliseconds within which who follows sees what other processes post. */
const NOTICE = 5;
const GROUP_BYTES = 8 * 1024 * 1024;
/** Milliseconds after which expired messages leave the file although nobody posts. */
const SWEEP = 10_000;

/**
 * A mailbox in one SQLite file, for any number of processes of one machine.
 * @throws UnusableDatabase
 */
export function openSqliteMailbox(options: SqliteMailboxOptions): Mailbox {
  const { path, limits = LIMITS, clock = Date.now } = options;
  const db = openDatabase(path, { poll: NOTICE, engine: 'mailbox' });
  layOut(db, LAYOUT, DDL);
  db.exec(IMPATIENT);

  const insert = inserter(db, limits);
  const sweep = sweeper(db);
  const select = createReader(db);
  const posts = groupCommit<Parcel, Posted>({
    commit: parcels =>
      db.transaction((): (Posted | MailboxFull)[] => {
        const now = clock();
        sweep(now);
        return parcels.map(one => insert(one, now));
      }),
    weight: ({ size }) => size,
    capacity: GROUP_BYTES,
  });
  const bells = createBells(() => ringing.left());
  const ringing = createRinging(db, bells);
  const sweeping = setInterval(() => {
    // What it cannot do now, the next one does.
    patiently(() => db.transaction(() => sweep(clock()))).catch(() => undefined);
  }, SWEEP).unref();

  return {
    post: async message => posts.add(parcel(message, limits)),
    read: async reading => {
      checkLimit(reading.limit);
      return select(recipients(reading), reading.after, reading.limit, clock());
    },
    follow: following => {
      const to = recipients(following);
      const listen = () => {
        ringing.joined();
        const ear = bells.listen(to);
        ear.ring();
        return ear;
      };
      const read = async (after: number, limit: number) => select(to, after, limit, clock());
      return follow(listen, read, following.after, following.signal);
    },
    close: async () => {
      clearInterval(sweeping);
      bells.close();
      await posts.drained();
      db.close();
    },
  };
}
