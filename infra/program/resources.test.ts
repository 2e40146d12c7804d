import { CleanupStack } from './cleanup-stack';
import type { ProgramDeps, Resource } from './feature';
import { resourcesIn } from './resources';

const DEPS = {} as ProgramDeps;

/** A resource that records when it is opened and closed. */
function recorded(name: string, record: string[], faults = { left: 0 }): Resource<string> {
  return {
    async open() {
      if (faults.left-- > 0) throw new Error(`${name} cannot be opened`);
      record.push(`open ${name}`);
      return name;
    },
    async close() {
      record.push(`close ${name}`);
    },
  };
}

it('opens a resource once, also for concurrent uses, and closes in the reverse order', async () => {
  const record: string[] = [];
  const cleanup = new CleanupStack();
  const open = resourcesIn(cleanup);
  const use = (resource: Resource<string>) => open(resource, DEPS);
  const [keys, texts] = [recorded('keys', record), recorded('texts', record)];
  expect(await Promise.all([use(keys), use(keys)])).toEqual(['keys', 'keys']);
  expect(await use(texts)).toBe('texts');
  await cleanup.run();
  expect(record).toEqual(['open keys', 'open texts', 'close texts', 'close keys']);
});

it('opens again after a failure, and closes nothing that was not opened', async () => {
  const record: string[] = [];
  const cleanup = new CleanupStack();
  const open = resourcesIn(cleanup);
  const use = (resource: Resource<string>) => open(resource, DEPS);
  const keys = recorded('keys', record, { left: 1 });
  await expect(use(keys)).rejects.toThrow('keys cannot be opened');
  expect(await use(keys)).toBe('keys');
  await cleanup.run();
  expect(record).toEqual(['open keys', 'close keys']);
});
