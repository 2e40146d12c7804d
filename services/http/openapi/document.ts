import { AUTH_SCHEMES, type Endpoint } from '../../../contracts/http/endpoint';
import { GROUPS } from '../../../contracts/http/groups';
import type { Schema } from './component-schemas';
import { Components } from './components';
import { healthPaths } from './health';
import { operationsOf, typeName } from './names';
import { operationOf } from './operation';

/**
 * The OpenAPI 3.1 document of the endpoints.
 * @throws Error when two operations have the same `operationId`: one of their endpoints has to declare another one
 */
export function openApiDocument(endpoints: readonly Endpoint[]): Schema {
  const components = new Components();
  const paths: Record<string, Schema> = {};
  const operations = operationsOf(endpoints);
  for (const endpoint of endpoints)
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])])
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operationOf(endpoint, path, components),
      };
  Object.assign(paths, healthPaths(components));
  const { schemas, ...others } = components.all();
  for (const operation of operations.keys())
    if (typeName(operation) in schemas)
      throw new Error(`an operation and a schema are both named ${typeName(operation)}`);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: '0.1.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The program that serves this document' }],
    tags: tagsOf(endpoints),
    paths,
    components: { securitySchemes: AUTH_SCHEMES, schemas, ...others },
  };
}

/** The groups that have endpoints, in the order of `GROUPS`; one that is not there comes last. */
function tagsOf(endpoints: readonly Endpoint[]): Schema[] {
  const described = Object.entries(GROUPS).map(([name, description]) => ({ name, description }));
  const used = new Set(endpoints.map(({ group }) => group));
  const others = [...used].filter(name => !Object.hasOwn(GROUPS, name)).map(name => ({ name }));
  return [...described.filter(({ name }) => used.has(name)), ...others];
}

const DESCRIPTION = `Wallet backend for TON and Solana, and billing administration of the instance.

- **Errors** are problem documents (RFC 9457). Their \`code\` is stable, their \`type\` is the path of a page that explains it, and \`requestId\` is also in the log.
- **Amounts** are decimal strings where they must be exact.
- **Read your own write**: a read with a token includes what the same caller has changed in the same process. \`X-Ledger-Position\` of a change, sent as \`X-Min-Position\`, makes any read include it.
- **Unknown parameters** of a query are ignored. Unknown members of a body are refused in billing, and ignored elsewhere.
- **Retries**: a response with \`Retry-After\` may succeed later. With \`Idempotency-Key\` a change happens once.`;
