import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tidemark } from '../../e2e/tidemark';
import { randomFrom, scaled, SEED } from '../../random';
import { keysOf } from '../../storage/device';
import { temporaryFolder } from '../../temporary-folder';
import { until } from '../../until';
import { startProgram } from '../program';
import { SharedSetting } from './shared-setting';
import { NETWORKS_OFF } from '../../local-networks';

const KILLS = scaled(0.5);
const DEVICES = 4;
/** Additions that are synchronized between two kills, at least. */
const ADDITIONS = 10;
const SETTINGS = ['jettons-disabled', 'addressbook-v1'];

const folder = temporaryFolder();
let program: Tidemark;
let killed = false;
const start = async (): Promise<void> => {
  program = await startProgram(folder, NETWORKS_OFF);
};
beforeAll(start);
afterAll(() => program?.kill('SIGTERM'));

it('devices share their settings through a program that is killed again and again: nothing is lost, nothing written twice', async () => {
  const random = randomFrom(SEED);
  const settings = SETTINGS.map(name => {
    const keys = {
      signing: keysOf(`words of the wallet/content/${name}/sign`),
      encryption: createHash('sha256').update(`words of the wallet/content/${name}/encrypt`).digest(),
    };
    const devices = Array.from({ length: DEVICES }, () => new SharedSetting(keys, () => program.url));
    return { name, devices, added: [] as string[] };
  });

  const use = async (device: SharedSetting, name: string, added: string[]): Promise<void> => {
    for (let n = 0; !killed; n++) {
      const item = `${name} ${n}`;
      device.items.add(item);
      await device.synchronize();
      added.push(item);
      await sleep(random() * 20);
    }
  };
  const running = Promise.all(
    settings.flatMap(({ name, devices, added }) =>
      devices.map((device, index) => use(device, `${name} of device ${index}`, added)),
    ),
  );
  const count = (): number => settings.reduce((sum, { added }) => sum + added.length, 0);
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = count() + ADDITIONS;
    await until(count, now => now >= enough);
    await sleep(random() * 100);
    expect(await program.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    await start();
  }
  killed = true;
  await running;

  for (const { devices, added } of settings) {
    for (const device of devices) await device.synchronize();
    // The last device to write knows all; the others read it.
    for (const device of devices) await device.synchronize();
    expect(added.length).toBeGreaterThanOrEqual(DEVICES);
    for (const { items } of devices) expect([...items].sort()).toEqual([...added].sort());

    const writes = devices.flatMap(({ acknowledged }) => acknowledged);
    expect(new Set(writes.map(({ seq }) => seq)).size).toBe(writes.length);
    const highest = Math.max(...writes.map(({ seq }) => seq));
    const read = () => devices[0]!.read();
    const { seq } = await until(read, current => current.seq >= highest);
    // A write that was done, and whose answer was lost for good behind that of another device, is the only other kind.
    expect(seq - writes.length).toBeLessThanOrEqual(KILLS * DEVICES);
    const last = writes.find(write => write.seq === seq);
    if (last) expect(await read()).toEqual(last);
  }
});
