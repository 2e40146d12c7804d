import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../contracts/json/json';
import { checkpointStatement, type Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { eventDigest } from '../../contracts/ledger-tree/ledger-line';
import { proofStatement, type ReportProof } from '../../contracts/ledger-tree/report-proof';
import { DigestLineWriter } from '../../contracts/ledger-tree/digest-lines';
import { evidenceIn, readKeys, type Evidence } from '../../infra/verifier/evidence';
import { hashEvents } from '../../infra/verifier/hash-events';
import { hashFile } from '../../infra/verifier/hash-thread';
import { VerificationFailed, type Outcome, type Location } from '../../infra/verifier/outcome';
import { verifyReport } from '../../infra/verifier/verify-report';
import { setRebateRule } from '../../services/billing/rebate/set-rule';
import { makeLedgerKeys, openLedgerKeys } from '../../services/ledger-tree/keys';
import { openInstance, type TestInstance } from '../billing/instance';
import { temporaryFolder } from '../temporary-folder';
import { exportedLines, isEvent, positionIn, writeJson, writeLines } from './exported-ledger';
import { runs } from '../random';

const FEES = 320;

let instance: TestInstance;
let folder: string;
let lines: string[];
let keysFile: string;
/** A served answer of every kind of report. */
const served: Record<string, JsonObject> = {};

beforeAll(async () => {
  folder = temporaryFolder();
  instance = await openInstance();
  const fees = Array.from({ length: FEES }, (_, n) => ({
    id: `f${n}`,
    fee_type: n % 3 === 0 ? 'creation' : 'swap',
    fee_amount: `${n}.25`,
    merchant_id: `m${n % 4}`,
    merchant_slug: `slug${n % 4}`,
    collection_status: n % 5 === 0 ? 'pending' : 'collected',
    created_at: `2026-${n % 2 === 0 ? '10' : '09'}-${String((n % 28) + 1).padStart(2, '0')}T10:00:00.000Z`,
  }));
  expect((await instance.record(fees)).status).toBe(200);
  await setRebateRule(instance.deps, [{ from: '0.00', rate: '0.10' }], {
    now: instance.deps.now(),
    actor: 'operator',
  });
  for (const billingPeriod of ['2026-09', '2026-10']) {
    const { body } = await instance.act({ action: 'generate_settlement', billingPeriod });
    expect(body.settlements).toHaveLength(2);
  }
  const generated = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-10' });
  const { invoiceId } = generated.body.invoice as { invoiceId: string };
  await instance.act({ action: 'finalize_invoice', invoiceId });
  await instance.act({ action: 'void_invoice', invoiceId, reason: 'Ann asked for it' });
  await instance.record([
    { id: 'f2', action: 'reverse' },
    { id: 'f5', action: 'collect' },
    { id: 'f10', action: 'waive' },
  ] as never);
  for (const [name, request] of Object.entries(REQUESTS(invoiceId))) {
    const { status, body } = await instance.act({ ...request, proof: true });
    expect([name, status]).toEqual([name, 200]);
    served[name] = body as JsonObject;
  }
  for (const [name, rows] of Object.entries({ invoices: 1, 'no invoice': 0, settlements: 4, rebates: 4 }))
    expect(served[name]!['rows']).toHaveLength(rows);
  lines = await exportedLines(instance.store);
  keysFile = writeJson(join(folder, 'keys.json'), instance.ledgerKeys.published());
});

afterAll(() => instance.close());

const REQUESTS = (invoiceId: string): Record<string, object> => ({
  revenue: { action: 'get_revenue' },
  'revenue of a month': { action: 'get_revenue', billingPeriod: '2026-10' },
  'revenue of days': { action: 'get_revenue', dateFrom: '2026-09-05', dateTo: '2026-10-04' },
  'the ledger': { action: 'list_fee_ledger' },
  'a late page': { action: 'list_fee_ledger', page: 7, pageSize: 45 },
  'a page past the end': { action: 'list_fee_ledger', page: 99 },
  'collected fees of a merchant': { action: 'list_fee_ledger', status: 'collected', merchantSlug: 'slug1' },
  'pending fees of a type': { action: 'list_fee_ledger', status: 'pending', feeType: 'swap', pageSize: 3 },
  'the ledger of a month': { action: 'list_fee_ledger', billingPeriod: '2026-09', pageSize: 20, page: 2 },
  'an export': { action: 'export_revenue_csv' },
  'an export of days': { action: 'export_revenue_csv', dateFrom: '2026-10-03', dateTo: '2026-10-09' },
  'an invoice': { action: 'get_invoice', invoiceId },
  invoices: { action: 'list_invoices' },
  'no invoice': { action: 'list_invoices', status: 'draft' },
  settlements: { action: 'list_settlements' },
  'settlements of a merchant': { action: 'list_settlements', merchantId: 'm3', status: 'carried' },
  rebates: { action: 'list_rebates' },
  'a page of rebates': { action: 'list_rebates', status: 'applied', page: 2, pageSize: 3 },
});

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=';

/** Other texts that a lenient decoder decodes to the same bytes, or to one byte more. */
function otherForms(base64: string): string[] {
  const bytes = Buffer.from(base64, 'base64');
  const digits = base64.replace(/=+$/, '');
  const padding = base64.slice(digits.length);
  return [...BASE64]
    .flatMap(one => [
      `${digits.slice(0, -1)}${one}${padding}`,
      `${digits}${one}${padding.slice(1)}`,
      `${base64}${one}`,
    ])
    .filter(text => text !== base64 && Buffer.from(text, 'base64').subarray(0, bytes.length).equals(bytes));
}

function parsedEvidence(text: string): Evidence | null {
  try {
    return evidenceIn(JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

const evidenceOf = (body: Json): Evidence => evidenceIn(body);
const whole = (name = 'revenue'): Evidence => evidenceOf(served[name]!);

interface VerifyInput {
  readonly lines?: readonly string[];
  readonly file?: string;
  readonly evidence?: Evidence;
  readonly keys?: string | null;
  readonly checkpoints?: readonly Checkpoint[];
  /** Default: in this thread, which starts in no time. */
  readonly hash?: typeof hashFile;
}

async function verify(
  given: VerifyInput = {},
): Promise<{ outcome: Outcome; message: string; location: Location }> {
  const file = given.file ?? writeLines(join(folder, 'export.ndjson'), given.lines ?? lines);
  const keys = given.keys === null ? null : readKeys(given.keys ?? keysFile);
  try {
    await verifyReport({
      file,
      evidence: given.evidence ?? whole(),
      keys,
      checkpoints: given.checkpoints ?? [],
      hash: given.hash ?? hashEvents,
    });
    return { outcome: 'verified', message: '', location: {} };
  } catch (error) {
    if (!(error instanceof VerificationFailed)) throw error;
    return { outcome: error.outcome, message: error.message, location: error.location };
  }
}

const events = (): string[] => lines.filter(isEvent);

/** The index among all lines of the n-th event. */
const lineOf = (n: number): number => lines.indexOf(events()[n]!);

describe('a served answer', () => {
  it.each(Object.keys(REQUESTS('')))('is the result of the export: %s', async name => {
    expect(await verify({ evidence: whole(name) })).toEqual({
      outcome: 'verified',
      message: '',
      location: {},
    });
  });

  it('as of a moment is that of the events recorded by then', async () => {
    const third = JSON.parse(events()[9]!) as { position: number; created: string };
    for (const asOf of [third.position, third.created]) {
      const { body } = await instance.act({ action: 'list_fee_ledger', asOf, proof: true });
      const evidence = evidenceOf(body as Json);
      expect(await verify({ evidence })).toMatchObject({ outcome: 'verified' });
      // Signed with the key, but as of another moment.
      const { keyId, sign } = instance.ledgerKeys.signer();
      for (const other of [third.position - 1, events().length + 10, '2020-01-01T00:00:00.000Z']) {
        const claims = { ...evidence.proof, query: { ...evidence.proof.query, asOf: other }, keyId };
        const proof = { ...claims, signature: sign(proofStatement(claims)) };
        expect((await verify({ evidence: { proof, body: null } })).outcome).toBe('wrong_answer');
      }
    }
  });

  it('is verified with its proof alone', async () => {
    const { proof } = whole();
    expect((await verify({ evidence: { proof, body: null } })).outcome).toBe('verified');
  });

  it('is verified with an export that has later events, and with one without digest lines', async () => {
    await instance.record([{ id: 'later' }]);
    expect((await verify({ lines: await exportedLines(instance.store) })).outcome).toBe('verified');
    expect((await verify({ lines: events() })).outcome).toBe('verified');
  });

  it('has no personal text in the export, and the same digest after the text is erased', async () => {
    expect(lines.join('')).not.toContain('Ann asked');
    expect(JSON.stringify(served['an invoice'])).toContain('Ann asked');
    await instance.subjects.destroy('admin@test');
    const { invoiceId } = served['an invoice']!['invoice'] as { invoiceId: string };
    const { body } = await instance.act({ action: 'get_invoice', invoiceId, proof: true });
    expect(JSON.stringify(body)).not.toContain('Ann asked');
    const after = evidenceOf(body as Json);
    expect(after.proof.bodyDigest).toBe(whole('an invoice').proof.bodyDigest);
    expect((await verify({ lines: await exportedLines(instance.store), evidence: after })).outcome).toBe(
      'verified',
    );
  });
});

describe('an export that was tampered with', () => {
  it('is found at the event, for any flipped bit', async () => {
    const text = lines.map(line => `${line}\n`).join('');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(events().length - 1),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 7 }),
        async (n, share, bit) => {
          const bytes = Buffer.from(text);
          const line = Buffer.from(events()[n]!);
          const at = bytes.indexOf(line) + Math.floor(share * (line.length - 1));
          bytes[at]! ^= 1 << bit;
          const file = join(folder, 'flipped.ndjson');
          writeFileSync(file, bytes);
          const { outcome, location } = await verify({ file });
          expect({ outcome, position: location.position }).toEqual({
            outcome: 'altered',
            position: positionIn(events()[n]!),
          });
        },
      ),
      runs(5),
    );
  });

  it('is found where the end of a line was changed', async () => {
    const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''));
    bytes[bytes.indexOf(events()[7]!) - 1]! ^= 1;
    const file = join(folder, 'flipped.ndjson');
    writeFileSync(file, bytes);
    const { outcome, location } = await verify({ file });
    expect([outcome, location.position]).toEqual(['altered', positionIn(events()[6]!)]);
  });

  it.each([3, 250, 256, 300])('is found where an event was left out (%i)', async n => {
    const without = lines.filter((_, index) => index !== lineOf(n));
    const { outcome, location } = await verify({ lines: without });
    expect([outcome, location.position]).toEqual(['altered', positionIn(events()[n]!)]);
  });

  it('is found where an event was left out, also without digest lines', async () => {
    const without = events().filter((_, index) => index !== 100);
    const { outcome, location } = await verify({ lines: without });
    const position = positionIn(events()[100]!);
    expect([outcome, location.between![0] < position, location.between![1] >= position]).toEqual([
      'altered',
      true,
      true,
    ]);
  });

  it('is found when it has far more lines than were signed, and none of digests', async () => {
    const file = join(folder, 'many.ndjson');
    writeFileSync(file, `${'{}\n'.repeat(200_000)}${events().join('\n')}\n`);
    const { outcome, location } = await verify({ file });
    expect([outcome, location.between![0]]).toEqual(['altered', -1]);
  });

  it('is cut off when it ends within a line', async () => {
    const file = join(folder, 'cut.ndjson');
    writeFileSync(file, `${events().slice(0, 100).join('\n')}\n${events()[100]!.slice(0, 50)}`);
    expect((await verify({ file })).outcome).toBe('truncated');
  });

  it('is found where events were swapped', async () => {
    const swapped = [...lines];
    const [one, other] = [lineOf(20), lineOf(40)];
    [swapped[one], swapped[other]] = [swapped[other]!, swapped[one]!];
    const { outcome, location } = await verify({ lines: swapped });
    expect([outcome, location.position]).toEqual(['altered', positionIn(events()[20]!)]);
  });

  it('is found where an event was inserted', async () => {
    const more = [...lines];
    more.splice(lineOf(30), 0, lines[lineOf(29)]!.replace('"fee_amount":"29.25"', '"fee_amount":"99.25"'));
    const { outcome, location } = await verify({ lines: more });
    expect([outcome, location.position]).toEqual(['altered', positionIn(events()[30]!)]);
  });

  it('is located within a few events by the subtree roots of the proof, when the digest lines were changed too', async () => {
    const forged = events().map((line, n) => (n === 100 ? line.replace('100.25', '900.25') : line));
    const { outcome, location } = await verify({ lines: withDigests(forged) });
    expect(outcome).toBe('altered');
    const [after, upTo] = location.between!;
    const position = positionIn(events()[100]!);
    expect(after).toBeLessThan(position);
    expect(upTo).toBeGreaterThanOrEqual(position);
    expect(
      events()
        .map(positionIn)
        .filter(each => each > after && each <= upTo).length,
    ).toBeLessThanOrEqual(2);
  });

  it('is found when its last events are missing: by the proof, and by a checkpoint', async () => {
    const { proof } = whole();
    const short = withDigests(events().slice(0, -1));
    expect((await verify({ lines: short })).outcome).toBe('truncated');
    // A later checkpoint than the proof, which itself is valid.
    const kept = signedAgain({ ...proof.checkpoint!, size: proof.size + 50, position: proof.position + 50 });
    expect((await verify({ checkpoints: [kept] })).outcome).toBe('truncated');
    expect((await verify({ checkpoints: [proof.checkpoint!] })).outcome).toBe('verified');
  });

  it('is found when it was rewritten and signed again, by an older checkpoint', async () => {
    const { checkpoint } = whole().proof;
    const other = signedAgain({ ...checkpoint!, root: 'ab'.repeat(32) });
    const { outcome, location } = await verify({ checkpoints: [other] });
    expect(outcome).toBe('altered');
    expect(location.between?.[1]).toBe(checkpoint!.position);
  });
});

const withDigests = (eventLines: readonly string[]): string[] => {
  const digests = new DigestLineWriter();
  const all: string[] = [];
  for (const line of eventLines) {
    const stated = digests.add(eventDigest(line), positionIn(line));
    all.push(line, ...(stated === null ? [] : [stated]));
  }
  const last = digests.end();
  return last === null ? all : [...all, last];
};

/** A checkpoint signed with the key of the instance. */
function signedAgain(checkpoint: Omit<Checkpoint, 'signature'>): Checkpoint {
  const { keyId, sign } = instance.ledgerKeys.signer();
  return { ...checkpoint, keyId, signature: sign(checkpointStatement({ ...checkpoint, keyId })) };
}

describe('a proof that was tampered with', () => {
  const altered = (change: Partial<ReportProof>, name = 'revenue'): Evidence => {
    const { proof, body } = whole(name);
    return { proof: { ...proof, ...change }, body };
  };

  it('is refused, for any changed member', async () => {
    const { proof } = whole();
    const other = whole('an export').proof;
    const changes: Partial<ReportProof>[] = [
      { position: proof.position + 1 },
      { size: proof.size - 1 },
      { head: 'ab'.repeat(32) },
      { root: 'ab'.repeat(32) },
      { query: other.query },
      { bodyDigest: other.bodyDigest },
      { instance: 'another' },
      { timeZone: 'Asia/Tokyo' },
      { signature: other.signature },
      { keyId: 'A'.repeat(43) },
      { checkpoint: { ...proof.checkpoint!, size: 1 } },
      { subtreeRoots: { ...proof.subtreeRoots, roots: proof.subtreeRoots.remainder } },
    ];
    for (const change of changes)
      expect([Object.keys(change), (await verify({ evidence: altered(change) })).outcome]).toEqual([
        Object.keys(change),
        'bad_signature',
      ]);
  });

  it('is neither an answer nor a proof when its members are beside a forged answer, or beside others', async () => {
    const { proof, body } = whole();
    const members = proof as unknown as JsonObject;
    for (const beside of [body as JsonObject, { summary: [] }])
      expect(() => evidenceIn({ ...members, ...beside })).toThrow('/summary is no member of it');
    // An answer, which is not the one of the proof.
    expect(evidenceIn({ ...members, proof: members }).body).toEqual(proof);
    const { key, checkpoint, subtreeRoots: roots } = proof;
    for (const [change, member] of [
      [{ key: { ...key, kid: 'a' } }, '/key/kid'],
      [{ checkpoint: { ...checkpoint!, signedBy: 'a' } }, '/checkpoint/signedBy'],
      [{ subtreeRoots: { ...roots, level2: 1 } }, '/subtreeRoots/level2'],
      [{ size: '7' }, '/size'],
      [{ checkpoint: { checkpoint } }, '/checkpoint/checkpoint'],
    ] as const)
      expect(() => evidenceIn({ ...(body as JsonObject), proof: { ...proof, ...change } as never })).toThrow(
        member,
      );
  });

  it('is refused with a cursor that the answer has not, at any depth', async () => {
    const { proof, body } = whole();
    const [first, ...rest] = (body as { summary: JsonObject[] }).summary;
    for (const change of [{ cursor: 'paid' }, { summary: [{ ...first, cursor: 'paid' }, ...rest] }]) {
      const evidence: Evidence = { proof, body: { ...(body as JsonObject), ...change } };
      expect((await verify({ evidence })).outcome).toBe('wrong_answer');
    }
  });

  it('is refused with the answer to another query', async () => {
    const { body } = whole('revenue of a month');
    expect((await verify({ evidence: { proof: whole().proof, body } })).outcome).toBe('wrong_answer');
  });

  it('is refused when another key signed it, unless verified without keys', async () => {
    const file = join(folder, 'other.json');
    await makeLedgerKeys(file);
    const { keyId, key, sign } = openLedgerKeys(file).signer();
    const { proof, body } = whole();
    const claims = { ...proof, keyId, key, checkpoint: null };
    const forged: Evidence = { proof: { ...claims, signature: sign(proofStatement(claims)) }, body };
    expect((await verify({ evidence: forged })).outcome).toBe('bad_signature');
    expect((await verify({ evidence: forged, keys: null })).outcome).toBe('verified');
    const checkpoint = { ...proof.checkpoint!, keyId };
    const resignedByOther = { ...checkpoint, signature: sign(checkpointStatement(checkpoint)) };
    expect((await verify({ evidence: altered({ checkpoint: resignedByOther }) })).outcome).toBe(
      'bad_signature',
    );
  });

  it('is refused when the holder of the key signed an answer that the events do not yield', async () => {
    const { keyId, sign } = instance.ledgerKeys.signer();
    const { proof } = whole();
    const claims = { ...proof, bodyDigest: 'ab'.repeat(32), keyId };
    const lie = { ...claims, signature: sign(proofStatement(claims)) };
    expect((await verify({ evidence: { proof: lie, body: null } })).outcome).toBe('wrong_answer');
  });

  const isAccepted = async (evidence: Evidence): Promise<boolean> => {
    const file = join(folder, 'export.ndjson');
    return verifyReport({ file, evidence, keys: readKeys(keysFile), checkpoints: [], hash: hashEvents }).then(
      () => true,
      () => false,
    );
  };

  it('is refused after a change of any bit of the file', async () => {
    const text = JSON.stringify(served['revenue']);
    writeLines(join(folder, 'export.ndjson'), lines);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(Buffer.byteLength(text) - 1),
        fc.integer({ min: 0, max: 7 }),
        async (at, bit) => {
          const bytes = Buffer.from(text);
          bytes[at]! ^= 1 << bit;
          const evidence = parsedEvidence(bytes.toString());
          if (evidence) expect(await isAccepted(evidence)).toBe(false);
        },
      ),
      runs(40),
    );
  });

  it('is refused when a signature, key or digest is in base64 that is not canonical', async () => {
    const { proof, body } = whole();
    writeLines(join(folder, 'export.ndjson'), lines);
    const { signature, key, checkpoint, subtreeRoots } = proof;
    const { roots, remainder } = subtreeRoots;
    const variants = [
      ...otherForms(signature).map(text => ({ signature: text })),
      ...otherForms(key.x).map(x => ({ key: { ...key, x } })),
      ...otherForms(checkpoint!.signature).map(text => ({ checkpoint: { ...checkpoint!, signature: text } })),
      ...otherForms(roots).map(text => ({ subtreeRoots: { ...subtreeRoots, roots: text } })),
      ...otherForms(remainder).map(text => ({ subtreeRoots: { ...subtreeRoots, remainder: text } })),
    ];
    expect(variants.length).toBeGreaterThan(50);
    for (const change of variants) {
      const evidence = parsedEvidence(
        JSON.stringify({ ...(body as JsonObject), proof: { ...proof, ...change } }),
      );
      if (evidence) expect([change, await isAccepted(evidence)]).toEqual([change, false]);
    }
  });
});

describe('a personal text', () => {
  interface Texts {
    voidReason: unknown;
    voidReasonErased: unknown;
    history: { reason: unknown; reasonErased: unknown }[];
  }
  /** The answer with the texts of its invoice changed. */
  const forged = (
    change: (invoice: Texts) => void,
    openings = whole('an invoice').proof.openings,
  ): Evidence => {
    const { proof, body } = structuredClone(whole('an invoice'));
    change((body as unknown as { invoice: Texts }).invoice);
    return { proof: { ...proof, openings }, body };
  };
  const outcomeOf = async (evidence: Evidence): Promise<[Outcome, string]> => {
    const { outcome, message } = await verify({ evidence });
    return [outcome, message];
  };
  const last = ({ history }: Texts) => history.at(-1)!;

  it.each<[string, string, (invoice: Texts) => void]>([
    ['another text', '/invoice/voidReason is not the text', invoice => (invoice.voidReason = 'Bob did')],
    [
      'another text in the history',
      '/invoice/history/2/reason is not',
      invoice => (last(invoice).reason = 'Bob'),
    ],
    ['an object', '/invoice/voidReason is not a text', invoice => (invoice.voidReason = { text: 'Ann' })],
    [
      'a text where there was none',
      '/invoice/history/0/reason was never',
      ({ history }) => (history[0]!.reason = 'a'),
    ],
    ['nothing', '/invoice/voidReason was recorded', invoice => (invoice.voidReason = null)],
    [
      'a text that is erased',
      '/invoice/voidReason is not a text',
      invoice => (invoice.voidReasonErased = true),
    ],
    [
      'an erased text where there was none',
      '/invoice/history/1/reason was never',
      ({ history }) => (history[1]!.reasonErased = true),
    ],
  ])('is refused when it is %s', async (_, message, change) => {
    expect(await outcomeOf(forged(change))).toEqual(['wrong_answer', expect.stringContaining(message)]);
  });

  it('is proven by its opening, and not without it', async () => {
    const { openings } = whole('an invoice').proof;
    expect(Object.keys(openings!)).toHaveLength(1);
    expect(await outcomeOf(forged(() => undefined, openings))).toEqual(['verified', '']);
    expect((await outcomeOf(forged(() => undefined, {})))[0]).toBe('wrong_answer');
    const [commitment] = Object.keys(openings!);
    expect((await outcomeOf(forged(() => undefined, { [commitment!]: 'A'.repeat(43) })))[0]).toBe(
      'wrong_answer',
    );
  });
});

describe('the other lines of an export', () => {
  const lineOfDigests = (): number => lines.findIndex(line => !isEvent(line));

  it('are the digests of the events before them', async () => {
    for (const change of [
      (line: string) => line.replace(/"positions":\[(\d+),(\d+)/, '"positions":[$2,$1'),
      (line: string) => line.replace('"start":0', '"start":1'),
      (line: string) => line.replace('}}', '},"note":"paid"}'),
    ]) {
      const altered = lines.map((line, n) => (n === lineOfDigests() ? change(line) : line));
      expect(altered).not.toEqual(lines);
      const { outcome, location } = await verify({ lines: altered });
      expect([outcome, location]).toEqual(['altered', { line: lineOfDigests() + 1 }]);
    }
  });

  it('are events also where nothing signed covers them', async () => {
    const asOf = positionIn(events()[50]!);
    const { body } = await instance.act({ action: 'get_revenue', asOf, proof: true });
    const evidence = evidenceOf(body as Json);
    for (const line of ['', 'null', events()[7]!])
      expect(await verify({ evidence, lines: [...lines, line] })).toMatchObject({ outcome: 'altered' });
    const later = events()[7]!.replace(/"position":\d+/, '"position":999999');
    expect(await verify({ evidence, lines: [...lines, later] })).toMatchObject({ outcome: 'verified' });
  });
});

describe('a file that is not an export', () => {
  it.each([
    ['a line', ['hello']],
    ['a page of many lines', Array.from({ length: 2_000 }, (_, n) => `paragraph ${n}`)],
    ['JSON', ['{"position":3}']],
    ['the report', () => [JSON.stringify(served['revenue'])]],
  ])('is unusable, not an altered ledger: %s', async (_what, given) => {
    const file = writeLines(join(folder, 'other'), typeof given === 'function' ? given() : given);
    const { outcome, message, location } = await verify({ file });
    expect([outcome, message, location]).toEqual([
      'unusable',
      `${file}: line 1 is no event of an export`,
      {},
    ]);
  });

  it('is refused', async () => {
    expect((await verify({ file: join(folder, 'none.ndjson') })).outcome).toBe('unusable');
    expect(readFileSync(writeLines(join(folder, 'empty'), []))).toHaveLength(0);
    expect(await verify({ file: join(folder, 'empty') })).toMatchObject({
      outcome: 'unusable',
      message: expect.stringContaining('empty: it has no events') as string,
    });
  });
});

it('a worker thread, as tidemark-verify has one, finds the same', async () => {
  const given: readonly VerifyInput[] = [
    {},
    { lines: lines.with(lineOf(30), lines[lineOf(29)]!) },
    { lines: events().slice(0, -1) },
    { lines: [...lines, 'null'] },
    { file: join(folder, 'none.ndjson') },
    { file: folder },
  ];
  const found = [];
  for (const each of given) found.push(await verify(each));
  expect(found.map(({ outcome }) => outcome)).toEqual([
    'verified',
    'altered',
    'truncated',
    'altered',
    'unusable',
    'unusable',
  ]);
  for (const [n, each] of given.entries())
    expect(await verify({ ...each, hash: hashFile })).toEqual(found[n]);
});
