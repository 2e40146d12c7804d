import { join } from 'node:path';
import type { JsonObject } from '../../contracts/json/json';
import { ledgerLine, type LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { EXIT_CODES, VerificationFailed, type LedgerRule } from '../../infra/verifier/outcome';
import { answerCase, expectAgreement, folder, write, type Broken, type Case } from './agreement';
import { ledger } from '../proofs/example-files';
import { isEvent, positionIn } from '../proofs/exported-ledger';
import { computedAnswer, signedAnswer } from '../proofs/test-key-signer';

/*
 * The example, altered and signed again by its writer.
 */

/** Of the events of the example. */
export const lines = ledger.split('\n').filter(isEvent);

/** The event of a line. */
export function eventIn(line: string): LedgerEvent {
  return JSON.parse(line) as LedgerEvent;
}

/** Of the line of the event at a position. */
export function indexAt(position: number): number {
  return lines.findIndex(line => positionIn(line) === position);
}

export function eventAt(position: number): LedgerEvent {
  return eventIn(lines[indexAt(position)]!);
}

export type Edit = Partial<Pick<LedgerEvent, 'stream' | 'revision' | 'type'>> & {
  readonly data?: JsonObject;
};

/** The example with another event at a position. */
export function edited(position: number, edit: Edit & Partial<Pick<LedgerEvent, 'metadata'>>): string[] {
  return lines.with(indexAt(position), ledgerLine({ ...eventAt(position), ...edit }));
}

/** The example with other members in the data of an event. */
export function withMembers(position: number, members: JsonObject): string[] {
  return edited(position, { data: { ...eventAt(position).data, ...members } });
}

export const NEXT = positionIn(lines.at(-1)!) + 1;

/** The example and further events, from the position `NEXT` on. */
export function followedBy(...more: readonly Required<Edit>[]): string[] {
  const added = more.map((edit, n) =>
    ledgerLine({
      ...eventAt(0),
      ...edit,
      id: `00000000-0000-4000-8000-00000000000${n}`,
      position: NEXT + n,
    }),
  );
  return [...lines, ...added];
}

export const QUERIES: readonly JsonObject[] = [
  { action: 'get_revenue' },
  { action: 'list_fee_ledger', page: 1, pageSize: 3, status: 'waived' },
  { action: 'export_revenue_csv', billingPeriod: '2026-09' },
  { action: 'list_invoices', page: 1, pageSize: 3 },
  { action: 'list_rebates', page: 1, pageSize: 3 },
  { action: 'list_settlements', page: 1, pageSize: 3 },
  { action: 'get_invoice', invoiceId: '4253dc87-80e9-4293-a79b-e2d7343ffb40' },
  { action: 'get_settlement', settlementId: eventAt(41).data['settlementId']! },
];

/** The answer that tidemark-verify computes. @throws VerificationFailed when the events yield none */
export function computed(events: readonly string[], query: JsonObject): Promise<JsonObject> {
  return computedAnswer(join(folder, 'computed.ndjson'), events, query, {});
}

/** With the answer that tidemark-verify computes, if the events yield one: the other verifier has to compute it too. */
export async function computedCase(
  what: string,
  events: readonly string[],
  query: JsonObject,
): Promise<Case> {
  const body = await computed(events, query).catch((error: unknown) => {
    if (error instanceof VerificationFailed) return {};
    throw error;
  });
  return reportCase(what, events, { query, body });
}

/** Without the answer that the events yield, which counts later. */
export async function reportCase(
  what: string,
  events: readonly string[],
  { query = QUERIES[0]!, body = {} }: { readonly query?: JsonObject; readonly body?: JsonObject } = {},
): Promise<Case> {
  const answer = await signedAnswer(events, query, body, {});
  return answerCase(what, {
    export: write(events.map(line => `${line}\n`).join('')),
    answer: write(JSON.stringify(answer)),
  });
}

/** What each of them is, the exit code, and the broken rule. */
export function verdictsOf(cases: readonly Case[]) {
  return cases.map(({ what, code, broken }) => [what, code, broken]);
}

/** What is altered, and the rule that the event at the position breaks then. */
export type Mutation = readonly [what: string, lines: readonly string[], rule: LedgerRule, position: number];

/** Both verifiers name the rule and the event, whatever the query. */
export async function expectInconsistent(mutations: readonly Mutation[]): Promise<void> {
  const cases: Case[] = [];
  for (const [n, [what, events]] of mutations.entries())
    cases.push(await reportCase(what, events, { query: QUERIES[n % QUERIES.length]! }));
  expect(verdictsOf(cases)).toEqual(
    mutations.map(([what, events, rule, position]) => {
      const { stream } = eventIn(events.find(line => positionIn(line) === position)!);
      return [what, EXIT_CODES.inconsistent, { position, stream, rule } satisfies Broken];
    }),
  );
  expectAgreement(cases);
}
