import { join } from 'node:path';
import fc from 'fast-check';
import { MESSAGE_OVERHEAD_BYTES } from '../../../../contracts/ports/mailbox';
import { mail } from '../../../../test/contracts/mailbox/harness';
import { runs } from '../../../../test/random';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { openDatabase, type Database } from '../../sqlite/database';
import { text } from '../../sqlite/statement';
import { DEFAULT_LIMITS, prepareMessage } from '../validation';
import { createInsert } from './insert';
import { createMessageIndex } from './message-index';
import { SCHEMA } from './schema';
import { createSweep } from './sweep';

const folder = temporaryFolder();

const message = fc.record({
  to: fc.constantFrom('x', 'y', 'z'),
  source: fc.constantFrom('', 'home', 'office'),
  body: fc.nat(99).map(n => 'b'.repeat(n)),
  ttlMs: fc.constantFrom(1_000, 20_000),
});

const step = fc.oneof(
  fc.record({ posts: fc.array(message, { minLength: 1, maxLength: 12, size: 'max' }), by: fc.nat(1) }),
  fc.record({ fails: fc.array(message, { minLength: 1, maxLength: 4 }), by: fc.nat(1) }),
  fc.record({ sweeps: fc.nat(1), after: fc.constantFrom(100, 1_000, 20_000) }),
  fc.record({ reads: fc.nat(1) }),
  fc.record({ restarts: fc.nat(1) }),
);

class Connection {
  private readonly db: Database;
  private readonly index: ReturnType<typeof createMessageIndex>;
  private readonly insert: ReturnType<typeof createInsert>;
  private readonly sweepExpired: ReturnType<typeof createSweep>;

  constructor(path: string) {
    this.db = openDatabase(path, { engine: 'mailbox' });
    this.db.exec(SCHEMA.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'));
    this.index = createMessageIndex(this.db);
    this.insert = createInsert(this.db, { ...DEFAULT_LIMITS, messages: 60 }, this.index);
    this.sweepExpired = createSweep(this.db);
  }

  post(messages: readonly Parameters<typeof mail>[1][], now: number, fails = false): void {
    const group = messages.map(each => prepareMessage(mail('', each), DEFAULT_LIMITS));
    this.db.transaction(() => {
      this.insert(group, now, this.index.update());
      if (fails) throw new Error('the disk is full');
    });
  }

  sweep(now: number): void {
    this.db.transaction(() => this.sweepExpired(now));
  }

  read(): void {
    this.index.update();
  }

  /** What is counted, and the same counted again from what is stored. */
  counts(): { counted: unknown; recounted: unknown } {
    const rows = (sql: string): unknown => this.db.prepare<unknown[]>(sql).all();
    const [recipient, source] = [text('recipient'), text('source')];
    return {
      counted: [
        rows(`SELECT messages, bytes, ${recipient} FROM mailboxes ORDER BY recipient`),
        rows(`SELECT s.messages, s.bytes, ${recipient}, ${source} FROM shares s
          JOIN mailboxes m ON m.id = s.mailbox ORDER BY recipient, source`),
        rows(`SELECT bytes, ${source} FROM sources ORDER BY source`),
        rows('SELECT bytes FROM total'),
      ],
      recounted: [
        rows(`SELECT count(*), sum(size), ${recipient} FROM messages GROUP BY recipient ORDER BY recipient`),
        rows(`SELECT count(*), sum(size), ${recipient}, ${source} FROM messages
          GROUP BY recipient, source ORDER BY recipient, source`),
        rows(`SELECT sum(size + ${MESSAGE_OVERHEAD_BYTES}), ${source} FROM messages
          GROUP BY source ORDER BY source`),
        rows(`SELECT coalesce(sum(size + ${MESSAGE_OVERHEAD_BYTES}), 0) FROM messages`),
      ],
    };
  }

  close(): void {
    this.db.close();
  }
}

test('what is counted equals a recount after any posts, failures, expiries, reads and restarts of two connections', () => {
  let files = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), steps => {
      const path = join(folder, `${(files += 1)}.db`);
      const connections = [new Connection(path), new Connection(path)];
      let now = 1_000_000;
      for (const one of steps)
        if ('posts' in one) connections[one.by]!.post(one.posts, now);
        else if ('fails' in one)
          expect(() => connections[one.by]!.post(one.fails, now, true)).toThrow('the disk is full');
        else if ('reads' in one) connections[one.reads]!.read();
        else if ('sweeps' in one) connections[one.sweeps]!.sweep((now += one.after));
        else {
          connections[one.restarts]!.close();
          connections[one.restarts] = new Connection(path);
        }
      for (const connection of connections) {
        connection.read();
        // What the other one has deleted is counted until it is swept here.
        connection.sweep((now += 20));
      }
      for (const connection of connections) {
        const { counted, recounted } = connection.counts();
        expect(counted).toEqual(recounted);
        connection.close();
      }
    }),
    runs(40),
  );
});
