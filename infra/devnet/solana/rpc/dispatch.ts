import { stringify } from 'lossless-json';
import type { Logger } from 'pino';
import { parseJson } from '../../../../contracts/json/parse-json';
import { ACCOUNT_METHODS } from './accounts';
import { BLOCK_METHODS } from './blocks';
import { CLUSTER_METHODS } from './cluster';
import { internalError, invalidRequest, methodNotFound, parseError } from './error';
import { RpcError } from '../../json-rpc-error';
import { HISTORY_METHODS } from './history';
import { Json, type Method, type Node } from './method';
import { SEND_METHODS } from './send';
import { SUPPLY_METHODS } from './supply';
import { TOKEN_METHODS } from './tokens';
import { VALIDATOR_METHODS } from './validators';

const METHODS = new Map<string, Method>(
  [
    CLUSTER_METHODS,
    VALIDATOR_METHODS,
    SUPPLY_METHODS,
    BLOCK_METHODS,
    HISTORY_METHODS,
    SEND_METHODS,
    ACCOUNT_METHODS,
    TOKEN_METHODS,
  ].flatMap(group => Object.entries(group)),
);

const MAX_BATCH = 100;

export type RequestId = string | number | null;

export interface RpcRequest {
  /** Absent in a notification, which gets no answer. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: unknown;
}

const resultText = (id: RequestId, result: unknown): string => {
  const text = result instanceof Json ? result.text : stringify(result ?? null);
  return `{"jsonrpc":"2.0","result":${text},"id":${JSON.stringify(id)}}`;
};

const errorText = (id: RequestId, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message, data }, id });

/** @throws RpcError -32600 */
const asRequest = (value: unknown): RpcRequest => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('not an object');
  const { id, method, params } = value as Readonly<Record<string, unknown>>;
  if (typeof method !== 'string') throw invalidRequest('method is not a text');
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw invalidRequest('id is not a text or a number');
  return { id, method, params };
};

/** Answers one request. Throws only RpcError. */
export type Call = (request: RpcRequest) => unknown;

/** The methods of the RPC. Unexpected errors are logged and become -32603. */
export function createCalls(node: Node, logger: Logger): Call {
  return async ({ method, params }) => {
    const known = METHODS.get(method);
    if (!known) throw methodNotFound();
    try {
      return await known.call(node, params);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      logger.error({ err: error, method }, 'rpc call failed');
      throw internalError();
    }
  };
}

const answerOne = async (value: unknown, call: Call): Promise<string | null> => {
  let id: RequestId | undefined = null;
  try {
    const request = asRequest(value);
    id = request.id;
    const result = await call(request);
    return id === undefined ? null : resultText(id, result);
  } catch (error) {
    return id === undefined ? null : errorText(id, error instanceof RpcError ? error : internalError());
  }
};

/** Answers the JSON of a request or a batch; null when there is no answer. Never throws. */
export async function answer(json: Buffer, call: Call): Promise<string | null> {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch {
    return errorText(null, parseError());
  }
  if (!Array.isArray(value)) return answerOne(value, call);
  if (value.length === 0 || value.length > MAX_BATCH)
    return errorText(null, invalidRequest(`a batch has 1 to ${MAX_BATCH} requests`));
  const answers = await Promise.all(value.map(each => answerOne(each, call)));
  const said = answers.filter(each => each !== null);
  return said.length === 0 ? null : `[${said.join(',')}]`;
}
