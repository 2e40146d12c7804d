import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpointStatement } from '../../contracts/seal/checkpoint';
import type { MerchantProof } from '../../contracts/seal/merchant-proof';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { readKeys } from '../../infra/verifier/evidence';
import { Failed } from '../../infra/verifier/verdict';
import { verifyMerchant } from '../../infra/verifier/verify-merchant';
import { verifyStore } from '../../infra/verifier/verify-store';
import { createCheckpoints, type Checkpoints } from '../../services/seal/checkpoints';
import { proveMerchant } from '../../services/seal/merchant-proof';
import { sealed } from '../../services/seal/prove';
import { readSeal, type SealReading } from '../../services/seal/reading';
import { openInstance, type TestInstance } from '../billing/instance';
import { writeJson } from './exported';

let instance: TestInstance;
let reading: SealReading;
let checkpoints: Checkpoints;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-store-'));
  instance = await openInstance();
  reading = readSeal(instance.documents);
  checkpoints = createCheckpoints({
    store: instance.store,
    instanceId: 'local',
    keys: instance.ledgerKeys,
  });
  const fees = Array.from({ length: 60 }, (_, n) => ({
    id: `f${n}`,
    merchant_id: `m${n % 3}`,
    merchant_slug: `slug${n % 3}`,
    created_at: `2026-${n < 30 ? '10' : '11'}-05T10:00:00.000Z`,
  }));
  await instance.record(fees);
  await sealed(reading, await instance.store.head(), 20_000);
});

afterEach(async () => {
  await instance.close();
  rmSync(folder, { recursive: true });
});

async function checkpointNow() {
  const head = await instance.store.head();
  await sealed(reading, head, 20_000);
  return checkpoints.sign(await reading.historyAt(head), new Date().toISOString());
}

type Change = (events: readonly RecordedEvent[]) => readonly RecordedEvent[];

/** The store as somebody left it who wrote to its file. */
const changed = (change: Change): Pick<EventStore, 'readAll'> => ({
  async *readAll(options) {
    for await (const page of instance.store.readAll(options)) yield change(page);
  },
});

async function verify(change: Change = events => events) {
  const seal = { reading, checkpoints, keys: instance.ledgerKeys };
  const { signal } = new AbortController();
  try {
    const { events } = await verifyStore({ store: changed(change), seal, held: [], signal });
    return { outcome: 'equal', events };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return { outcome: error.outcome, position: error.place.position };
  }
}

async function positions(): Promise<number[]> {
  const found: number[] = [];
  for await (const page of instance.store.readAll({ categories: ['fee'] }))
    found.push(...page.map(({ position }) => position));
  return found;
}

describe('verifying a store', () => {
  it('finds it as it was sealed', async () => {
    await checkpointNow();
    expect(await verify()).toEqual({ outcome: 'equal', events: 60 });
  });

  it('finds the event that was altered, left out, or put in', async () => {
    const at = (await positions())[17]!;
    expect(
      await verify(events =>
        events.map(event =>
          event.position === at ? { ...event, data: { ...event.data, fee_amount: '9.99' } } : event,
        ),
      ),
    ).toEqual({ outcome: 'broken', position: at });
    expect(await verify(events => events.filter(({ position }) => position !== at))).toEqual({
      outcome: 'broken',
      position: at,
    });
    expect(
      await verify(events =>
        events.flatMap(event =>
          event.position === at ? [{ ...event, position: at - 0.5 }, event] : [event],
        ),
      ),
    ).toEqual({ outcome: 'broken', position: at - 0.5 });
  });

  it('finds that its tail is missing', async () => {
    const last = (await positions()).at(-1)!;
    expect(await verify(events => events.filter(({ position }) => position < last))).toEqual({
      outcome: 'missing',
      position: last,
    });
  });

  it('finds a checkpoint that somebody signed who does not hold the key', async () => {
    const { signature: _, ...said } = await checkpointNow();
    const forged = { ...said, at: '2020-01-01T00:00:00.000Z', signature: 'A'.repeat(86) };
    const seal = {
      reading,
      keys: instance.ledgerKeys,
      checkpoints: {
        ...checkpoints,
        async *all() {
          yield forged;
        },
      },
    };
    await expect(
      verifyStore({ store: instance.store, seal, held: [], signal: new AbortController().signal }),
    ).rejects.toMatchObject({ outcome: 'unsigned' });
  });
});

describe("a merchant's proof", () => {
  const prove = async (billingPeriod: string | null = null): Promise<MerchantProof> =>
    proveMerchant(
      { store: instance.store, reading },
      { merchantId: 'm1', billingPeriod },
      await checkpointNow(),
    );

  const outcome = (proof: MerchantProof, keys: string | null = keysFile()): string => {
    try {
      const file = writeJson(join(folder, 'merchant.json'), proof);
      verifyMerchant(file, { keys: keys === null ? null : readKeys(keys), held: [] });
      return 'equal';
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      return error.outcome;
    }
  };

  const keysFile = (): string => writeJson(join(folder, 'keys.json'), instance.ledgerKeys.published());

  it('shows its own events, each in its place, and none of others', async () => {
    const proof = await prove();
    expect(proof.events).toHaveLength(20);
    expect(JSON.stringify(proof)).not.toContain('"m0"');
    expect(outcome(proof)).toBe('equal');
    expect((await prove('2026-10')).events).toHaveLength(10);
    expect(outcome(await prove('2026-10'))).toBe('equal');
  });

  it('is refused when an event, its place, the checkpoint or the merchant is another', async () => {
    const proof = await prove();
    const [first, ...others] = proof.events;
    const altered = { ...first!, line: first!.line.replace('1.50', '2.50') };
    expect(outcome({ ...proof, events: [altered, ...others] })).toBe('broken');
    expect(outcome({ ...proof, events: [{ ...first!, leaf: first!.leaf + 1 }, ...others] })).toBe('broken');
    expect(outcome({ ...proof, events: [first!, first!] })).toBe('broken');
    expect(outcome({ ...proof, merchantId: 'm2' })).toBe('differs');
    expect(outcome({ ...proof, billingPeriod: '2026-11' })).toBe('differs');
    expect(outcome({ ...proof, checkpoint: { ...proof.checkpoint, root: 'ab'.repeat(32) } })).toBe(
      'unsigned',
    );
    expect(outcome(proof, null)).toBe('unusable');
  });

  it('is proven by a signature of the instance', async () => {
    const { checkpoint } = await prove();
    const { signature, ...said } = checkpoint;
    expect(checkpointStatement(said).toString()).toMatch(/^tidemark-checkpoint-v1\n\{"at":/);
    expect(signature).toHaveLength(86);
  });
});
