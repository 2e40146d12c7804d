import type { Logger } from 'pino';
import { redactedUrl } from '../../../contracts/url/redacted-url';
import type { V4Node } from './v4-node';

/** Between two warnings of what a node answers. */
const WARNING_MS = 60_000;

type Node = Pick<V4Node, 'url'>;

/** Logs what happens to nodes: each failure once until the node answers again, unreadable answers once in a minute. */
export interface NodeLog {
  failed(node: Node, err: unknown): void;
  answered(node: Node): void;
  misread(node: Node, err: unknown): void;
}

export function createNodeLog(logger: Logger): NodeLog {
  const failing = new Set<Node>();
  const silentUntil = new WeakMap<Node, number>();
  return {
    failed(node, err) {
      if (failing.has(node)) return;
      failing.add(node);
      logger.warn({ url: redactedUrl(node.url), err }, 'ton node failed');
    },
    answered(node) {
      if (failing.delete(node)) logger.info({ url: redactedUrl(node.url) }, 'ton node answers again');
    },
    misread(node, err) {
      if (performance.now() < (silentUntil.get(node) ?? 0)) return;
      silentUntil.set(node, performance.now() + WARNING_MS);
      logger.warn(
        { url: redactedUrl(node.url), err },
        'ton node sent an answer that does not fit the request',
      );
    },
  };
}
