import { request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { RpcError, type RpcCall, type RpcOutcome } from '../../../contracts/ports/solana-client';
import { COMPRESSED, responseText } from '../../../indexers/http-response';
import { nameOfCode } from './without-texts';
import { readJson } from '../../../contracts/json/read-json';

const response = z.union([
  z.object({ error: z.object({ code: z.number() }) }),
  z.object({ result: z.unknown() }),
]);
const responses = z.array(z.intersection(z.object({ id: z.number() }), response));

export interface PostOptions {
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  readonly maxBytes?: number | undefined;
}

/** Posts JSON and resolves to the text of the answer. @throws HttpError; Error when the node did not answer in time */
export async function post(
  url: string,
  body: string,
  { dispatcher, timeoutMs, maxBytes }: PostOptions,
): Promise<string> {
  return responseText(
    await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...COMPRESSED },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      dispatcher,
    }),
    maxBytes,
  );
}

const requestOf = ({ method, params }: RpcCall, id: number) => ({ jsonrpc: '2.0', id, method, params });

const outcomeOf = (method: string, answer: z.output<typeof response>): RpcOutcome =>
  'error' in answer
    ? { error: new RpcError(answer.error.code, `${method}: ${nameOfCode(answer.error.code)}`) }
    : { result: answer.result };

/**
 * One JSON-RPC call without the checks of `Connection`, which cost ten times the parsing of a block.
 * @throws RpcError what the node refused; Error when it did not answer, in time or at all
 */
export async function callRpc(
  url: string,
  call: RpcCall,
  options: PostOptions,
  parse: (text: string) => unknown = readJson,
): Promise<unknown> {
  const text = await post(url, JSON.stringify(requestOf(call, 1)), options);
  const outcome = outcomeOf(call.method, response.parse(parse(text)));
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

/** The node refuses a batch as such, or one of this size. */
export class BatchRefused extends Error {
  override readonly name = 'BatchRefused';
}

/**
 * Several calls in one request (JSON-RPC 2.0, section 6); outcomes in the order of the calls.
 * @throws BatchRefused; Error when an answer is missing or does not belong to a call
 */
export async function callRpcBatch(
  url: string,
  calls: readonly RpcCall[],
  options: PostOptions,
): Promise<RpcOutcome[]> {
  const parsed: unknown = readJson(await post(url, JSON.stringify(calls.map(requestOf)), options));
  if (!Array.isArray(parsed)) {
    const refusal = outcomeOf('batch', response.parse(parsed));
    throw 'error' in refusal
      ? new BatchRefused(refusal.error.message)
      : new Error('not an answer to a batch');
  }
  const answers = new Map(responses.parse(parsed).map(answer => [answer.id, answer]));
  if (parsed.length !== calls.length || answers.size !== calls.length)
    throw new Error(`${parsed.length} answers to a batch of ${calls.length} calls`);
  return calls.map(({ method }, id) => {
    const answer = answers.get(id);
    if (!answer) throw new Error(`no answer to call ${id} of a batch`);
    return outcomeOf(method, answer);
  });
}
