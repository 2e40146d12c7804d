import { join } from 'node:path';
import { canonicalJson } from '../../contracts/json/canonical-json';
import { checkpointStatement, type Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { verifySignature } from '../../contracts/ledger-tree/keys';
import { eventDigest } from '../../contracts/ledger-tree/ledger-line';
import type { MerchantProof } from '../../contracts/ledger-tree/merchant-proof';
import { leafHash } from '../../contracts/ledger-tree/merkle-tree';
import type { EventStore, RecordedEvent } from '../../contracts/ports/event-store';
import { readKeys } from '../../infra/verifier/evidence';
import { VerificationFailed } from '../../infra/verifier/outcome';
import { verifyMerchant } from '../../infra/verifier/verify-merchant';
import { verifyStore } from '../../infra/verifier/verify-store';
import { createCheckpoints, type Checkpoints } from '../../services/ledger-tree/checkpoints';
import { proveMerchant } from '../../services/ledger-tree/merchant-proof';
import { waitUntilIncluded } from '../../services/ledger-tree/prover';
import { createLedgerTreeReader, type LedgerTreeReader } from '../../services/ledger-tree/reader';
import { openInstance, type TestInstance } from '../billing/instance';
import { temporaryFolder } from '../temporary-folder';
import { writeJson } from './exported-ledger';

let instance: TestInstance;
let reader: LedgerTreeReader;
let checkpoints: Checkpoints;
let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  instance = await openInstance();
  reader = createLedgerTreeReader(instance.documents);
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
  await waitUntilIncluded(reader, await instance.store.head(), 60_000);
});

afterEach(() => instance.close());

async function checkpointNow() {
  const head = await instance.store.head();
  await waitUntilIncluded(reader, head, 60_000);
  return checkpoints.sign(await reader.headAt(head), new Date().toISOString());
}

type Change = (events: readonly RecordedEvent[]) => readonly RecordedEvent[];

/** A copy of the store with changes in its file. */
const changed = (change: Change): Pick<EventStore, 'readAll'> => ({
  async *readAll(options) {
    for await (const page of instance.store.readAll(options)) yield change(page);
  },
});

async function verify(change: Change = events => events) {
  const tree = { reader, checkpoints, keys: instance.ledgerKeys };
  const { signal } = new AbortController();
  try {
    const { events } = await verifyStore({ store: changed(change), tree, checkpoints: [], signal });
    return { outcome: 'verified', events };
  } catch (error) {
    if (!(error instanceof VerificationFailed)) throw error;
    return { outcome: error.outcome, position: error.location.position };
  }
}

async function positions(): Promise<number[]> {
  const found: number[] = [];
  for await (const page of instance.store.readAll({ categories: ['fee'] }))
    found.push(...page.map(({ position }) => position));
  return found;
}

describe('verifying a store', () => {
  it('verifies a store that was not changed', async () => {
    await checkpointNow();
    expect(await verify()).toEqual({ outcome: 'verified', events: 60 });
  });

  it('finds the event that was changed, left out, or inserted', async () => {
    const at = (await positions())[17]!;
    expect(
      await verify(events =>
        events.map(event =>
          event.position === at ? { ...event, data: { ...event.data, fee_amount: '9.99' } } : event,
        ),
      ),
    ).toEqual({ outcome: 'altered', position: at });
    expect(await verify(events => events.filter(({ position }) => position !== at))).toEqual({
      outcome: 'altered',
      position: at,
    });
    expect(
      await verify(events =>
        events.flatMap(event =>
          event.position === at ? [{ ...event, position: at - 0.5 }, event] : [event],
        ),
      ),
    ).toEqual({ outcome: 'altered', position: at - 0.5 });
  });

  it('finds that its last events are missing', async () => {
    const last = (await positions()).at(-1)!;
    expect(await verify(events => events.filter(({ position }) => position < last))).toEqual({
      outcome: 'truncated',
      position: last,
    });
  });

  it('finds a checkpoint that was not signed with the key', async () => {
    const { signature: _, ...unsigned } = await checkpointNow();
    const forged = { ...unsigned, at: '2020-01-01T00:00:00.000Z', signature: 'A'.repeat(86) };
    const tree = {
      reader,
      keys: instance.ledgerKeys,
      checkpoints: {
        ...checkpoints,
        async *all() {
          yield forged;
        },
      },
    };
    await expect(
      verifyStore({ store: instance.store, tree, checkpoints: [], signal: new AbortController().signal }),
    ).rejects.toMatchObject({ outcome: 'bad_signature' });
  });
});

describe("a proof of a merchant's events", () => {
  const prove = async (billingPeriod: string | null = null): Promise<MerchantProof> =>
    proveMerchant(
      { store: instance.store, reader },
      { merchantId: 'm1', billingPeriod },
      await checkpointNow(),
    );

  const outcome = (proof: MerchantProof, keys: string | null = keysFile()): string => {
    try {
      const file = writeJson(join(folder, 'merchant.json'), proof);
      verifyMerchant(file, { keys: keys === null ? null : readKeys(keys), checkpoints: [] });
      return 'verified';
    } catch (error) {
      if (!(error instanceof VerificationFailed)) throw error;
      return error.outcome;
    }
  };

  const keysFile = (): string => writeJson(join(folder, 'keys.json'), instance.ledgerKeys.published());

  it('has its own events, each at its leaf index, and none of others', async () => {
    const proof = await prove();
    expect(proof.events).toHaveLength(20);
    expect(JSON.stringify(proof)).not.toContain('"m0"');
    expect(outcome(proof)).toBe('verified');
    expect((await prove('2026-10')).events).toHaveLength(10);
    expect(outcome(await prove('2026-10'))).toBe('verified');
  });

  it('is refused when an event, its leaf index, the checkpoint or the merchant is changed', async () => {
    const proof = await prove();
    const [first, ...others] = proof.events;
    const altered = { ...first!, line: first!.line.replace('1.50', '2.50') };
    expect(outcome({ ...proof, events: [altered, ...others] })).toBe('altered');
    expect(outcome({ ...proof, events: [{ ...first!, leafIndex: first!.leafIndex + 1 }, ...others] })).toBe(
      'altered',
    );
    expect(outcome({ ...proof, events: [first!, first!] })).toBe('altered');
    expect(outcome({ ...proof, merchantId: 'm2' })).toBe('wrong_answer');
    expect(outcome({ ...proof, billingPeriod: '2026-11' })).toBe('wrong_answer');
    expect(outcome({ ...proof, checkpoint: { ...proof.checkpoint, root: 'ab'.repeat(32) } })).toBe(
      'bad_signature',
    );
    expect(outcome(proof, null)).toBe('unusable');
  });

  it('is compared with each checkpoint that the verifier holds, or refused', async () => {
    const proof = await prove();
    const { checkpoint } = proof;
    const file = writeJson(join(folder, 'merchant.json'), proof);
    const check = (held: Checkpoint[], keys: boolean) => {
      try {
        const given = { keys: keys ? readKeys(keysFile()) : null, checkpoints: held };
        return verifyMerchant(file, given).compared.map(({ signedBy }) => signedBy);
      } catch (error) {
        return (error as VerificationFailed).outcome;
      }
    };
    const { keyId, sign } = instance.ledgerKeys.signer();
    const signed = (change: Partial<Checkpoint>): Checkpoint => {
      const unsigned = { ...checkpoint, ...change, keyId };
      return { ...unsigned, signature: sign(checkpointStatement(unsigned)) };
    };
    expect(check([checkpoint], true)).toEqual([keyId, keyId]);
    expect(check([checkpoint], false)).toEqual([null, null]);
    expect(check([], false)).toBe('unusable');
    const { size, position } = checkpoint;
    for (const keys of [true, false]) {
      for (const change of [{ root: 'ab'.repeat(32) }, { head: 'ab'.repeat(32) }, { position: position - 1 }])
        expect(check([checkpoint, signed(change)], keys)).toBe('altered');
      for (const change of [{ size: size - 1 }, { instance: 'another' }])
        expect(check([checkpoint, signed(change)], keys)).toBe('unusable');
    }
    expect(check([{ ...checkpoint, at: '2020-01-01T00:00:00.000Z' }], true)).toBe('bad_signature');
  });

  it('is refused when a leaf is not the canonical form of an event of a fee', async () => {
    const { events, ...proof } = await prove();
    const [{ line }] = events as [MerchantProof['events'][number]];
    const event = JSON.parse(line) as { stream: string };
    const { keyId, sign } = instance.ledgerKeys.signer();
    /** A ledger of one event, signed with the key. */
    const ledgerOf = (only: string): MerchantProof => {
      const root = leafHash(eventDigest(only)).toString('hex');
      const unsigned = { ...proof.checkpoint, size: 1, root, keyId };
      const checkpoint = { ...unsigned, signature: sign(checkpointStatement(unsigned)) };
      return { ...proof, checkpoint, events: [{ leafIndex: 0, line: only, auditPath: [] }] };
    };
    expect(outcome(ledgerOf(line))).toBe('verified');
    for (const other of [
      'null',
      'x',
      '{}',
      JSON.stringify(event, null, 1),
      line.replace('"fee_type"', '"fee_type":"a","fee_type"'),
      canonicalJson({ ...event, stream: 'invoice-1' }),
      canonicalJson({ ...event, more: 1 }),
    ])
      expect([other, outcome(ledgerOf(other))]).toEqual([other, 'wrong_answer']);
    expect(outcome(ledgerOf(canonicalJson({ ...event, type: 'FeeForgotten' })))).toBe('unusable');
  });

  it('has a checkpoint signed by the instance', async () => {
    const { signature, ...unsigned } = (await prove()).checkpoint;
    const statement = checkpointStatement(unsigned);
    expect(statement.toString()).toMatch(/^tidemark-checkpoint-v1\n\{"at":/);
    const [key] = instance.ledgerKeys.published().keys;
    expect(verifySignature(statement, signature, key!)).toBe(true);
  });
});
