import { join } from 'node:path';
import type { Json, JsonObject } from '../../contracts/json/json';
import { ledgerLine, type LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { subtract, ZERO } from '../../contracts/money/money';
import { readCheckpoint } from '../../infra/verifier/evidence';
import { EXIT_CODES } from '../../infra/verifier/outcome';
import { randomFrom, scaled, SEED } from '../random';
import {
  answerCase,
  expectAgreement,
  folder,
  merchantCase,
  original,
  python,
  write,
  type Case,
} from './agreement';
import { alterationsFrom, type Alteration } from '../proofs/alterations';
import { answers, checkpoint, keys, ledger, merchant } from '../proofs/example-files';
import { isEvent, positionIn } from '../proofs/exported-ledger';
import { computedAnswer, resignedCheckpoint, resignedProof, signedAnswer } from '../proofs/test-key-signer';

const events = ledger.split('\n').filter(isEvent);

const { below, oneOf, bytes, lines, values, forms } = alterationsFrom(randomFrom(SEED));

const altered = (text: string, alterations: readonly Alteration[]): string =>
  write(oneOf(alterations)(Buffer.from(text)));

/** A file that is altered anywhere, and not signed again. */
function alteredCase(n: number): Promise<Case> {
  const answer = below(answers.length);
  switch (n % 8) {
    case 0:
    case 1:
    case 2:
      return answerCase('an export', {
        export: altered(ledger, [...bytes, lines, lines, lines]),
        answer: original.answers[answer]!,
      });
    case 3:
    case 4:
      return answerCase('an answer', {
        answer: altered(answers[answer]!, [...bytes, ...Array(6).fill(values)]),
      });
    case 5:
      return answerCase('keys', { keys: altered(keys, [...bytes, values, values, values]) });
    case 6:
      return answerCase('a held checkpoint', { checkpoint: altered(checkpoint, [...bytes, values, values]) });
    default:
      return merchantCase(
        'the events of a merchant',
        altered(merchant, [...bytes, ...Array(6).fill(values)]),
      );
  }
}

const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject;

/** Altered as a JSON value, and signed again where it still can be. */
function signedAgain(text: string, sign: (value: JsonObject) => JsonObject): string {
  const changed = oneOf([forms, values])(Buffer.from(text)).toString();
  try {
    return JSON.stringify(sign(parsed(changed)));
  } catch {
    return changed;
  }
}

/** A file in another form than the page says, or signed for one. */
function formCase(n: number): Promise<Case> {
  const answer = answers[below(answers.length)]!;
  const other = (text: string): string => altered(text, [forms, forms, forms, values]);
  const files: readonly (() => Promise<Case>)[] = [
    () => answerCase('an answer in another form', { answer: other(answer) }),
    () => answerCase('a proof alone', { answer: other(JSON.stringify(parsed(answer)['proof'])) }),
    () => answerCase('keys in another form', { keys: other(keys) }),
    () => answerCase('a held checkpoint in another form', { checkpoint: other(checkpoint) }),
    () => merchantCase('events of a merchant in another form', other(merchant)),
    () =>
      answerCase('a proof that was signed again', {
        answer: write(
          JSON.stringify({
            ...parsed(answer),
            proof: parsed(signedAgain(JSON.stringify(parsed(answer)['proof']), resignedProof)),
          }),
        ),
      }),
    () =>
      answerCase('a held checkpoint that was signed again', {
        checkpoint: write(signedAgain(checkpoint, resignedCheckpoint)),
      }),
    () =>
      merchantCase(
        'events of a merchant whose checkpoint was signed again',
        write(
          signedAgain(merchant, changed => ({
            ...changed,
            checkpoint: resignedCheckpoint(changed['checkpoint'] as JsonObject),
          })),
        ),
      ),
    () => {
      const wrapped = oneOf<Json>([
        { checkpoint: parsed(checkpoint) },
        [parsed(checkpoint)],
        parsed(merchant),
      ]);
      const held = oneOf<Json>([wrapped, parsed(answer), parsed(answer)['proof']!]);
      return answerCase('a held checkpoint within another value', {
        checkpoint: write(JSON.stringify(held)),
      });
    },
  ];
  return files[n % files.length]!();
}

/** An export of which a line was altered and everything signed again, and the answer of the example to its query. */
async function signedLineCase(): Promise<Case> {
  const index = below(events.length);
  const line = oneOf([values, forms, forms, ...bytes])(Buffer.from(events[index]!)).toString();
  const all = events.with(index, line.replaceAll('\n', ''));
  const { proof, ...body } = parsed(oneOf(answers)) as { proof: { query: JsonObject } } & JsonObject;
  const answer = await signedAnswer(all, proof.query, body, {}).catch(() => null);
  return answerCase('a signed line', {
    export: write(all.map(each => `${each}\n`).join('')),
    ...(answer !== null && { answer: write(JSON.stringify(answer)) }),
  });
}

/** Two faults at once: of two files, or of one. */
function pairCase(n: number): Promise<Case> {
  const answer = below(answers.length);
  const file = {
    export: () => altered(ledger, [...bytes, lines, lines, lines]),
    answer: () => altered(answers[answer]!, [...bytes, ...Array(12).fill(values)]),
    keys: () => altered(keys, [...bytes, ...Array(6).fill(values)]),
    checkpoint: () => altered(checkpoint, [...bytes, ...Array(12).fill(values)]),
  };
  const twice = (text: string, alterations: readonly Alteration[]): string => {
    const once = oneOf(alterations)(Buffer.from(text));
    try {
      return write(oneOf(alterations)(once));
    } catch {
      // It is JSON no more.
      return write(once);
    }
  };
  const given = { answer: original.answers[answer]! };
  const pairs: readonly (() => Promise<Case>)[] = [
    () => answerCase('export and answer', { export: file.export(), answer: file.answer() }),
    () =>
      answerCase('export and checkpoint', { ...given, export: file.export(), checkpoint: file.checkpoint() }),
    () => answerCase('export and keys', { ...given, export: file.export(), keys: file.keys() }),
    () => answerCase('answer and checkpoint', { answer: file.answer(), checkpoint: file.checkpoint() }),
    () => answerCase('answer and keys', { answer: file.answer(), keys: file.keys() }),
    () => answerCase('keys and checkpoint', { ...given, keys: file.keys(), checkpoint: file.checkpoint() }),
    () => answerCase('an export twice', { ...given, export: twice(ledger, [...bytes, lines, lines, lines]) }),
    () => answerCase('an answer twice', { answer: twice(answers[answer]!, [values]) }),
    () => merchantCase('a merchant twice', twice(merchant, [values])),
  ];
  return pairs[n % pairs.length]!();
}

/** The openings and personal texts of an answer, which are not signed, and its checkpoint. */
function personalCase(): Promise<Case> {
  const withTexts = answers.filter(line => !line.includes('"openings":{}'));
  const answer = JSON.parse(oneOf(withTexts)) as { proof: JsonObject } & JsonObject;
  const openings = answer.proof['openings'] as Record<string, string>;
  const [commitment] = Object.keys(openings);
  const holders: Record<string, Json>[] = [];
  const collect = (value: Json): void => {
    if (value === null || typeof value !== 'object') return;
    if (Object.keys(value).some(name => name.endsWith('Erased'))) holders.push(value as Record<string, Json>);
    Object.values(value).forEach(collect);
  };
  collect(answer);
  const holder = oneOf(holders);
  const name = oneOf(['reason', 'voidReason', 'reference'].filter(each => each in holder));
  const isText = typeof holder[name] === 'string';
  oneOf<() => void>([
    () => (holder[name] = 'another text'),
    () => (holder[name] = isText ? `${String(holder[name])} ` : ''),
    () => Object.assign(holder, { [name]: null, [`${name}Erased`]: true }),
    () => (holder[name] = null),
    () => (holder[`${name}Erased`] = oneOf<Json>([true, null, 0])),
    () => (holder[name] = {}),
    () => Reflect.deleteProperty(openings, commitment!),
    () => delete answer.proof['openings'],
    () => (openings[commitment!] = 'A'.repeat(43)),
    () => (openings['B'.repeat(42) + 'A'] = openings[commitment!]!),
    () => (answer.proof['checkpoint'] = null),
    () => (answer.proof['checkpoint'] = JSON.parse(checkpoint) as Json),
  ])();
  return answerCase('personal texts', { answer: write(JSON.stringify(answer)) });
}

const idsOf = (member: string): string[] => [
  ...new Set(events.flatMap(line => new RegExp(`"${member}":"([^"]+)"`).exec(line)?.[1] ?? [])),
];
const [invoiceIds, settlementIds] = [idsOf('invoiceId'), idsOf('settlementId')];
const maybe = (name: string, choices: readonly Json[]): JsonObject =>
  below(2) === 0 ? {} : { [name]: oneOf(choices) };
const MONTHS = ['2026-09', '2026-10', '2026-11', '2026-12'];
const DAYS = ['2026-09-03', '2026-09-30', '2026-10-01', '2026-10-06', '2026-10-31', '2026-11-02'];

function randomQuery(): JsonObject {
  const days = {
    ...maybe('dateFrom', DAYS.slice(0, 3)),
    ...maybe('dateTo', DAYS.slice(2)),
    ...maybe('billingPeriod', MONTHS),
  };
  const rows = {
    ...days,
    ...maybe('status', ['pending', 'collected', 'waived', 'reversed']),
    ...maybe('merchantSlug', ['espresso', 'baeckerei', 'suess']),
    ...maybe('feeType', ['creation', 'swap']),
  };
  const page = { page: 1 + below(3), pageSize: 1 + below(4) };
  const settled = { ...page, ...maybe('billingPeriod', MONTHS), ...maybe('merchantId', ['m-1', 'm-2']) };
  return {
    ...oneOf<JsonObject>([
      { action: 'get_revenue', ...days },
      { action: 'list_fee_ledger', ...rows, ...page },
      { action: 'export_revenue_csv', ...rows },
      {
        action: 'list_invoices',
        ...page,
        ...maybe('status', ['draft', 'void']),
        ...maybe('billingPeriod', MONTHS),
      },
      { action: 'get_invoice', invoiceId: oneOf(invoiceIds) },
      { action: 'list_settlements', ...settled, ...maybe('status', ['pending', 'paid']) },
      { action: 'get_settlement', settlementId: oneOf(settlementIds) },
      { action: 'list_rebates', ...settled, ...maybe('status', ['applied', 'paid']) },
    ]),
  };
}

const TEXTS = [
  '=1+1',
  ' ＋1',
  '\u{feff}-x',
  'a,"b"',
  '-1.50',
  '-01',
  "o'Neil",
  '\u0085=1',
  '😀',
  '\ufb33',
  'Ł',
  '',
];
const AMOUNTS = ['0.00', '-7.10', '0.000000000000000003', '99999999999999999999.999999999999999999', '12.50'];

/**
 * The events, one with another value that it could have been recorded with; all events of a fee have the same, and its
 * adjustment what follows from it.
 */
function otherEvents(all: readonly string[], at: number): string[] {
  const { stream, data: changed } = JSON.parse(all[at]!) as LedgerEvent;
  const choices: Record<string, readonly Json[]> = {
    fee_amount: AMOUNTS,
    gross_amount: AMOUNTS,
    totalFee: AMOUNTS,
    amount: AMOUNTS,
    merchant_name: TEXTS.slice(0, -1),
    merchantName: TEXTS.slice(0, -1),
    name: TEXTS.slice(0, -1),
    collection_status: ['pending', 'collected'],
    by: TEXTS,
    feeCount: [0, 1, 77],
    at: ['2026-11-02T09:00:20.000Z', '2020-01-01T00:00:00.000Z'],
    reason: [null, { subject: 'ann', ciphertext: 'v1.key.abc' }],
  };
  const hasChanges = all.filter(line => (JSON.parse(line) as LedgerEvent).stream === stream).length > 1;
  const names = Object.keys(changed).filter(
    // What happens to a fee depends on its status.
    name => name in choices && !(name === 'collection_status' && hasChanges),
  );
  if (names.length === 0) return [...all];
  const name = oneOf(names);
  const value = oneOf(choices[name]!);
  return all.map((line, index) => {
    const event = JSON.parse(line) as LedgerEvent;
    const { data } = event;
    const isChanged = stream.startsWith('fee-') ? event.stream === stream && name in data : index === at;
    return isChanged ? ledgerLine({ ...event, data: withMember(data, name, value) }) : line;
  });
}

function withMember(data: JsonObject, name: string, value: Json): JsonObject {
  const adjustment = (data['adjustment'] ?? null) as JsonObject | null;
  const adjusted = name.endsWith('_amount') ? subtract(ZERO, value as string) : value;
  return { ...data, [name]: value, ...(adjustment && { adjustment: { ...adjustment, [name]: adjusted } }) };
}

type NewEvent = Pick<LedgerEvent, 'stream' | 'revision' | 'type' | 'data'>;

/** The data of the first event of a fee of the example. */
const recorded = (id: string): JsonObject =>
  events.map(line => (JSON.parse(line) as LedgerEvent).data).find(data => data['id'] === id)!;

/** A fee like one of the example, that is collected when it is recorded. */
const late = (id: string, like: string): NewEvent => {
  const data = { ...recorded(like), id };
  return { stream: `fee-${id}`, revision: 0, type: 'FeeRecorded', data };
};

/** In place. */
const reversed = (id: string, like = id): NewEvent => {
  const { collection_status: _, ...facts } = recorded(like);
  const data = { ...facts, id, adjustment: null };
  return { stream: `fee-${id}`, revision: 1, type: 'FeeReversed', data };
};

/**
 * After the events of the example: of the months of both live invoices, fees are collected and reversed after the draft, and
 * one of an invoice is reversed in place, as when that is decided before the draft and recorded after it.
 */
const REVERSALS = [
  late('late-1', 'f-2'),
  reversed('late-1', 'f-2'),
  late('late-2', 'f-2'),
  late('late-3', 'f-3'),
  reversed('late-3', 'f-3'),
  reversed('f-3'),
].map((event, n) =>
  ledgerLine({
    ...(JSON.parse(events.at(-1)!) as LedgerEvent),
    ...event,
    id: `00000000-0000-4000-8000-00000000000${n}`,
    position: positionIn(events.at(-1)!) + 1 + n,
  }),
);

/** What the holder of the key has signed, of a ledger that may be another one: what the answer must be is all that counts. */
async function signedCase(n: number): Promise<Case> {
  let ledgerLines = below(2) === 0 ? [...events] : [...events, ...REVERSALS];
  const projections = oneOf<Record<string, number>>([{}, { fees: 2 }, { fees: 3 }, { fees: 3 }]);
  for (let changes = below(4); changes > 0; changes--)
    ledgerLines = otherEvents(ledgerLines, below(ledgerLines.length));
  const size = below(3) === 0 ? below(ledgerLines.length + 1) : ledgerLines.length;
  const signedLines = ledgerLines.slice(0, size);
  const position = size === 0 ? -1 : positionIn(signedLines.at(-1)!);
  const asOf = oneOf<Json>([position, position, position + 1, position - 1, '2026-11-23T12:26:16.042Z', 99]);
  const query = { ...randomQuery(), ...(below(3) === 0 ? { asOf } : {}) };
  const file = join(folder, 'computed.ndjson');
  let body: JsonObject = await computedAnswer(file, signedLines, query, projections).catch(() => ({}));
  if (n % 3 === 1) body = JSON.parse(values(Buffer.from(JSON.stringify(body))).toString()) as JsonObject;
  // The answer of other events.
  if (n % 3 === 2) ledgerLines = otherEvents(ledgerLines, below(Math.max(size, 1)));
  const answer = await signedAnswer(ledgerLines.slice(0, size), query, body, projections);
  return answerCase(`signed again: ${JSON.stringify(query)}`, {
    export: write(ledgerLines.map(line => `${line}\n`).join('')),
    answer: write(JSON.stringify(answer)),
  });
}

async function series(count: number, one: (n: number) => Promise<Case>): Promise<Case[]> {
  const cases: Case[] = [];
  for (let n = 0; n < count; n++) cases.push(await one(n));
  return cases;
}

const share = (cases: readonly Case[], codes: readonly number[]): number =>
  cases.filter(({ code }) => codes.includes(code)).length / cases.length;

it('computes the vectors of the page', () => {
  expect(python(['-m', 'unittest'])).toContain('OK');
});

it('verifies the example', async () => {
  const cases = [
    ...(await Promise.all(original.answers.map(answer => answerCase('an answer', { answer })))),
    await answerCase('a held checkpoint', { checkpoint: original.checkpoint }),
    await merchantCase('the events of a merchant', original.merchant),
  ];
  expect(cases.map(({ code }) => code)).toEqual(cases.map(() => EXIT_CODES.verified));
  expectAgreement(cases);
});

it('agrees on altered files, and why they are not verified', async () => {
  const cases = await series(scaled(240), alteredCase);
  expect(share(cases, [EXIT_CODES.verified])).toBeLessThan(0.2);
  expectAgreement(cases);
});

it('agrees on files in other forms, also when these were signed', async () => {
  const cases = await series(scaled(270), formCase);
  expect(share(cases, [EXIT_CODES.verified])).toBeLessThan(0.3);
  expectAgreement(cases);
});

it('agrees on altered lines that were signed', async () => {
  const cases = await series(scaled(100), signedLineCase);
  expect(share(cases, [EXIT_CODES.verified])).toBeLessThan(0.3);
  expectAgreement(cases);
});

it('takes a held checkpoint in no other value, and names what is wrong', async () => {
  const value = parsed(checkpoint);
  const [answer] = answers as [string];
  const wrapped = [
    { checkpoint: value },
    [value],
    parsed(merchant),
    parsed(answer),
    parsed(answer)['proof']!,
  ];
  expect(
    wrapped.map(each => {
      try {
        return readCheckpoint(write(JSON.stringify(each)));
      } catch (error) {
        return / not a checkpoint: (.*)$/.exec((error as Error).message)?.[1];
      }
    }),
  ).toEqual([
    '/checkpoint is no member of it',
    'it: Invalid input: expected object, received array',
    '/merchantId is no member of it',
    expect.stringMatching(/^\/\w+ is no member of it$/),
    '/timeZone is no member of it',
  ]);
  const cases = await series(wrapped.length, n =>
    answerCase('wrapped', { checkpoint: write(JSON.stringify(wrapped[n])) }),
  );
  expect(cases.map(({ code }) => code)).toEqual(wrapped.map(() => EXIT_CODES.unusable));
  expectAgreement(cases);
});

it('agrees on two alterations at once, and which of them counts', async () => {
  const cases = await series(scaled(270), pairCase);
  expect(share(cases, [EXIT_CODES.verified])).toBeLessThan(0.1);
  expectAgreement(cases);
});

it('agrees on lines after all that is signed, of which only the position is read', async () => {
  const after = (line: string | Buffer): Promise<Case> =>
    answerCase(`followed by ${line.toString().slice(0, 60)}`, {
      export: write(Buffer.concat([Buffer.from(ledger), Buffer.from(line), Buffer.from('\n')])),
    });
  const verified = await Promise.all(
    [
      '{"position":99}',
      '{"a":{"position":1},"position":9007199254740991}',
      '{"position":99,"created":["2026"]}',
    ].map(after),
  );
  expect(verified.map(({ code }) => code)).toEqual(verified.map(() => EXIT_CODES.verified));
  const refused = await Promise.all(
    [
      '{"position":99.0}',
      '{"position":1e3}',
      '{"position":-0}',
      '{"position":9007199254740992}',
      '{"position":98,"position":99}',
      '{"a":NaN,"position":99}',
      '{"a":"\\ud800","position":99}',
      '\ufeff{"position":99}',
      '{"position":99}\u0000',
      `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)},"position":99}`,
      '{"position":true}',
      '{"position":"99"}',
      '99',
      Buffer.from([0x7b, 0xff]),
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('","position":99}')]),
    ].map(after),
  );
  expect(refused.map(({ code }) => code)).toEqual(refused.map(() => EXIT_CODES.altered));
  expectAgreement([...verified, ...refused]);
});

it('agrees on members that a program could lose or take for absent, and verifies none of them', async () => {
  const [answer] = answers as [string];
  const texts = answers.find(each => /"openings":\{"/.test(each))!;
  const files = [
    ...['query', 'projections'].map(name => answer.replace(`"${name}":{`, `"${name}":{"__proto__":1,`)),
    texts.replace('"openings":{', '"openings":{"__proto__":null,'),
    answer.replace('{', '{"__proto__":{"summary":[]},'),
    answer.replace('{', '{"cursor":null,'),
  ];
  const cases = await Promise.all(
    files.map(each => answerCase(each.slice(0, 40), { answer: write(Buffer.from(each)) })),
  );
  expect(cases.map(({ code }) => code)).toEqual([3, 3, 6, 4, 4]);
  expectAgreement(cases);
});

it('agrees on personal texts and on what is not signed with the proof', async () => {
  expectAgreement(await series(scaled(40), personalCase));
});

it('agrees on what is no export at all', async () => {
  const firstDigests = ledger.split('\n').find(line => line.startsWith('{"digests":{'))!;
  const given: Record<string, number> = {
    '': EXIT_CODES.unusable,
    'one line, without an end': EXIT_CODES.unusable,
    '# A page\n\nof text\n': EXIT_CODES.unusable,
    [answers[0]!]: EXIT_CODES.unusable,
    [keys]: EXIT_CODES.unusable,
    [`${firstDigests}\n`]: EXIT_CODES.altered,
    [`text\n${events[0]!}\n`]: EXIT_CODES.altered,
    [`${events[0]!}\n`]: EXIT_CODES.truncated,
  };
  const cases = await Promise.all(
    Object.keys(given).map(text => answerCase(text.slice(0, 20), { export: write(text) })),
  );
  expect(cases.map(({ code }) => code)).toEqual(Object.values(given));
  expectAgreement(cases);
});

it('agrees on what the events yield, when other events and answers are signed', async () => {
  const cases = await series(scaled(160), signedCase);
  expect(share(cases, [EXIT_CODES.verified])).toBeGreaterThan(0.2);
  expect(share(cases, [EXIT_CODES.wrong_answer])).toBeGreaterThan(0.2);
  expectAgreement(cases);
});

describe('fees that were collected and reversed after the draft of an invoice', () => {
  const lines = [...events, ...REVERSALS];
  const [september, voided, october] = invoiceIds as [string, string, string];
  const answerTo = (invoiceId: string, fees: number): Promise<JsonObject> =>
    computedAnswer(join(folder, 'computed.ndjson'), lines, { action: 'get_invoice', invoiceId }, { fees });

  it.each([
    ['both uninvoiced and reversed in proofs before version 3', 2, september, [2, '0.000000000000000002', 1]],
    ['both uninvoiced and reversed in proofs before version 3', 2, october, [2, '1.25', 2]],
    ['neither in proofs since', 3, september, [1, '0.000000000000000001', 0]],
    ['neither in proofs since', 3, october, [1, '-1.00', 1]],
  ] as const)('are %s (%i)', async (_what, fees, invoiceId, expected) => {
    const { invoice } = (await answerTo(invoiceId, fees)) as { invoice: JsonObject };
    expect([invoice['uninvoicedFeeCount'], invoice['uninvoicedFee'], invoice['reversedFeeCount']]).toEqual(
      expected,
    );
  });

  it('are verified by the version that the proof names, and only by it', async () => {
    const file = write(lines.map(line => `${line}\n`).join(''));
    const cases: Case[] = [];
    const expected: number[] = [];
    for (const invoiceId of [september, voided, october])
      for (const [computed, named] of [
        [2, 2],
        [2, 3],
        [3, 2],
        [3, 3],
      ] as const) {
        const query = { action: 'get_invoice', invoiceId };
        const answer = await signedAnswer(lines, query, await answerTo(invoiceId, computed), { fees: named });
        const what = `${invoiceId}: version ${computed}, named ${named}`;
        cases.push(await answerCase(what, { export: file, answer: write(JSON.stringify(answer)) }));
        // A void invoice says nothing of fees.
        const isSame = computed === named || invoiceId === voided;
        expected.push(isSame ? EXIT_CODES.verified : EXIT_CODES.wrong_answer);
      }
    expect(cases.map(({ code }) => code)).toEqual(expected);
    expectAgreement(cases);
  });
});
