import type { Endpoint, Method } from '../../../contracts/http/endpoint';

/** What a POST does is said by its path. */
const VERBS: Readonly<Record<Method, string>> = {
  GET: 'get',
  POST: '',
  PUT: 'put',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * The `operationId` at a path of the endpoint: the one that it declares, or the words of the path after a verb, such as
 * `getContractInfo` and `storageWrite`.
 */
export function operationIdOf({ operationId, method, path }: Endpoint, spelling: string): string {
  if (operationId !== undefined && spelling === path) return operationId;
  const words = spelling
    .replace(/^\/api\//, '/')
    .replace(/\{\w+\}/g, '')
    .split(/[^A-Za-z0-9]+/);
  return withFirst('toLowerCase', [VERBS[method], ...words].map(typeName).join(''));
}

/**
 * The places of operations by their `operationId`.
 * @throws Error when two have the same: one of their endpoints has to declare another one
 */
export function operationsOf(endpoints: readonly Endpoint[]): Map<string, string> {
  const operations = new Map<string, string>();
  for (const endpoint of endpoints)
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      const operationId = operationIdOf(endpoint, path);
      const place = `${endpoint.method} ${path}`;
      const other = operations.get(operationId);
      if (other !== undefined) throw new Error(`${other} and ${place} are both named ${operationId}`);
      operations.set(operationId, place);
    }
  return operations;
}

/** `getContractInfo` and `get_revenue` as `GetContractInfo` and `GetRevenue`. */
export function typeName(name: string): string {
  return name
    .split('_')
    .map(word => withFirst('toUpperCase', word))
    .join('');
}

const withFirst = (change: 'toLowerCase' | 'toUpperCase', name: string): string =>
  name.slice(0, 1)[change]() + name.slice(1);
