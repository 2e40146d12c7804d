import { request, type Dispatcher } from 'undici';
import { z } from 'zod';

/** An error that a node answered with; codes: `JSON_RPC_SERVER_ERROR_*` of Solana's RPC client API. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(`${message} (${code})`);
  }
}

const answer = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

/**
 * One JSON-RPC call without the checks of `Connection`, which cost ten times the parsing of a block.
 * @throws RpcError what the node refused; Error when it did not answer, in time (milliseconds) or at all.
 */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[],
  { dispatcher, timeout }: { dispatcher: Dispatcher; timeout: number },
): Promise<unknown> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeout),
    dispatcher,
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${method}: HTTP ${response.statusCode}`);
  const parsed = answer.parse(JSON.parse(text));
  if ('error' in parsed) throw new RpcError(parsed.error.code, `${method}: ${parsed.error.message}`);
  return parsed.result;
}
