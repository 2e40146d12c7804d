import { fork } from 'node:child_process';
import { join } from 'node:path';
import { describeDisks } from '../../../test/full-disk/disks';
import type { Command, Outcome } from '../../../test/full-disk/engine-process';
import { compiledPath } from '../compiled-path';
import '../../../test/starts-programs';

const PROGRAM = compiledPath('test/full-disk/engine-process.ts');

const start = (engine: string, path: string) => {
  const child = fork(PROGRAM, [engine, path]);
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`it ended with ${code ?? signal}`)));
  });
  ended.catch(() => undefined);
  return {
    pid: child.pid!,
    async send(command: Command): Promise<Outcome> {
      const answer = new Promise<Outcome>(resolve =>
        child.once('message', outcome => resolve(outcome as Outcome)),
      );
      child.send(command);
      return Promise.race([answer, ended]);
    },
    end: () => void child.kill('SIGKILL'),
  };
};

describeDisks(disk => {
  test.each([
    ['event store', 'event store'],
    ['log', 'log'],
    ['documents', 'documents'],
    ['documents', 'documents, writer thread'],
    ['jobs', 'jobs'],
    ['mailbox', 'mailbox'],
  ])(
    'the %s is unavailable for writes (%s), can be read, and recovers when there is space',
    async (engine, how) => {
      const { pid, send, end } = start(how, join(disk.folder, `${how}.db`));
      try {
        for (const text of ['a', 'b']) expect(await send({ write: text })).toEqual({ result: null });
        disk.fill(pid);
        for (let n = 0; n < 3; n++)
          expect(await send({ write: 'c' })).toEqual({
            engine,
            error: expect.stringMatching(disk.errorPattern),
          });
        expect(await send('read')).toEqual({ result: ['a', 'b'] });
        disk.free(pid);
        expect(await send('read')).toEqual({ result: ['a', 'b'] });
        expect(await send({ write: 'd' })).toEqual({ result: null });
        expect(await send('read')).toEqual({ result: ['a', 'b', 'd'] });
        await send('close');
      } finally {
        end();
        disk.free(pid);
      }
    },
  );

  test('opening and claiming fail with the cause', async () => {
    const { pid, send, end } = start('jobs', join(disk.folder, 'other.db'));
    const data = join(disk.folder, 'data');
    try {
      await send('read');
      disk.fill(pid);
      expect(await send({ claim: data })).toEqual({
        error: expect.stringMatching(new RegExp(`^DATA_DIR: "${data}": (${disk.errorPattern.source})`)),
      });
      disk.free(pid);
      expect(await send({ claim: data })).toEqual({ result: null });
    } finally {
      end();
      disk.free(pid);
    }
  });
});
