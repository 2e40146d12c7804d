import type { z } from 'zod';
import type {
  CommandAction,
  FileAction,
  QueryAction,
  ReportAction,
} from '../../../../contracts/http/billing/access';
import type { RequestOf } from '../../../../contracts/http/billing/actions';
import type { feeRequest } from '../../../../contracts/http/billing/fees';
import type { ADMIN_RESPONSES, FeeResult } from '../../../../contracts/http/billing/responses';
import { call, callWith } from '../client';

type Responses = typeof ADMIN_RESPONSES;
type Answer<Action extends keyof Responses> = z.output<Responses[Action]>;
type ReadAction = Exclude<ReportAction | QueryAction, FileAction>;

const PATH = '/api/instance-admin';

/** The newest position that an answer to a command had: what is read afterwards includes it. */
let position = 0;

/** Makes one call that any token which may read billing can make. @throws Refusal when this one may not, Unanswered */
export async function checkToken(token: string): Promise<void> {
  const anyFee: RequestOf<'list_fee_ledger'> = { action: 'list_fee_ledger', page: 1, pageSize: 1 };
  await callWith(token, { path: PATH, account: 'billing', body: () => anyFee });
}

const send = (body: object, headers: Readonly<Record<string, string>>): Promise<Response> =>
  call({ path: PATH, account: 'billing', body: () => body, headers });

const afterCommands = (): Readonly<Record<string, string>> =>
  position === 0 ? {} : { 'X-Min-Position': String(position) };

function seen({ headers }: Response): void {
  position = Math.max(position, Number(headers.get('X-Ledger-Position') ?? 0));
}

/** Reads what is there, the own changes included. @throws Refusal, Unanswered */
export async function read<Action extends ReadAction>(request: RequestOf<Action>): Promise<Answer<Action>> {
  const response = await send(request, afterCommands());
  return (await response.json()) as Answer<Action>;
}

/** The bytes of a document. @throws Refusal, Unanswered */
export async function readFile(request: RequestOf<FileAction>): Promise<Blob> {
  return (await send(request, afterCommands())).blob();
}

/** Changes something, once for each key. @throws Refusal, Unanswered */
export async function command<Action extends CommandAction>(
  request: RequestOf<Action>,
  key: string,
): Promise<Answer<Action>> {
  const response = await send(request, { 'Idempotency-Key': key });
  seen(response);
  return (await response.json()) as Answer<Action>;
}

/** Records a fee, or changes a recorded one; the answer says whether it was refused. @throws Refusal, Unanswered */
export async function recordFee(fee: z.input<typeof feeRequest>, key: string): Promise<FeeResult> {
  const response = await call({
    path: '/api/fees',
    account: 'billing',
    body: () => ({ fees: [fee] }),
    headers: { 'Idempotency-Key': key },
  });
  seen(response);
  const { results } = (await response.json()) as { results: [FeeResult] };
  return results[0];
}
