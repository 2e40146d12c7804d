import { request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { RpcError } from '../../../contracts/ports/solana-client';

const response = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

/**
 * One JSON-RPC call without the checks of `Connection`, which cost ten times the parsing of a block.
 * @throws RpcError what the node refused; Error when it did not answer, in time or at all
 */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[],
  { dispatcher, timeoutMs }: { dispatcher: Dispatcher; timeoutMs: number },
): Promise<unknown> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
    dispatcher,
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${method}: HTTP ${statusCode}`);
  const parsed = response.parse(JSON.parse(text));
  if ('error' in parsed) throw new RpcError(parsed.error.code, `${method}: ${parsed.error.message}`);
  return parsed.result;
}
