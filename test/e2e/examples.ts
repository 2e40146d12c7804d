import type { Endpoint, EndpointKind, Example as EndpointExample } from '../../contracts/http/endpoint';
import { ENDPOINTS } from '../endpoints';

/** A call that its endpoint accepts, from which tests make malformed ones. */
export interface Example extends EndpointExample {
  readonly endpoint: Endpoint;
  /** As in the documentation. */
  readonly path: string;
  readonly aliases: readonly string[];
  readonly method: string;
  readonly kind: EndpointKind;
  /** Whether it changes the ledger. */
  readonly writes: boolean;
}

/** The examples of every endpoint. */
export const EXAMPLES: readonly Example[] = ENDPOINTS.flatMap(endpoint =>
  (endpoint.examples ?? []).map(example => {
    const action = (example.body as { action?: string } | undefined)?.action ?? '';
    const { idempotency = false } = endpoint.actions?.[action] ?? endpoint;
    const { path, aliases = [], method, kind = 'json' } = endpoint;
    return { ...example, endpoint, path, aliases, method, kind, writes: idempotency };
  }),
);
