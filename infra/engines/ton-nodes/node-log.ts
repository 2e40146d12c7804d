import type { Logger } from 'pino';
import { redactedUrl } from '../../../contracts/url/redacted-url';
import { createOutageLog } from '../../../indexers/outage-log';
import type { V4Node } from './v4-node';

/** Between two warnings of what a node answers. */
const WARNING_MS = 60_000;

type Node = Pick<V4Node, 'url'>;

/** Logs what happens to nodes: an outage when it begins and ends, unreadable answers once in a minute. */
export interface NodeLog {
  failed(node: Node, err: unknown): void;
  /** @param began when the call did that it has answered */
  answered(node: Node, began: number): void;
  misread(node: Node, err: unknown): void;
}

export function createNodeLog(logger: Logger): NodeLog {
  const outages = createOutageLog(logger, 'ton node', 'url');
  const silentUntil = new WeakMap<Node, number>();
  return {
    failed: ({ url }, error) => outages.failed(redactedUrl(url), error),
    answered: ({ url }, began) => outages.answered(redactedUrl(url), began),
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
