import { Command } from 'commander';
import type { Documents } from '../../contracts/ports/documents';
import type { StoredIndexerStatus } from '../../indexers/indexer';
import type { Config } from '../program/settings';
import { print, table } from './output';
import { FEATURES, PROJECTIONS } from '../program/features';
import { withProjections } from './with-engines';

export function statusCommand(config: () => Config): Command {
  return new Command('status')
    .description('progress of each projection and each indexer')
    .action((_options: object, command: Command) =>
      withProjections(config(), PROJECTIONS, async ({ engines, engine }) => {
        const events = await engines.store.head();
        const projections = await engine.status();
        const indexers = await storedIndexerStatus(engines.documents);
        print(
          { events, projections, indexers },
          [
            `event store: position ${events}`,
            '',
            ...table([
              ['PROJECTION', 'VERSION', 'GENERATION', 'STATE', 'LAG', 'NOTE'],
              ...projections.map(({ name, version, generation, state, lag, fault, incomplete, building }) => [
                name,
                String(version),
                String(generation),
                state,
                String(lag),
                fault
                  ? `${fault.at}: ${fault.error}`
                  : incomplete
                    ? `lacks ${incomplete.events} events up to position ${incomplete.upTo}: build it again with \`tidemark rebuild ${name}\``
                    : building
                      ? `building ${building.done}/${building.total}`
                      : '',
              ]),
            ]),
            '',
            ...table([
              ['INDEXER', 'INDEXED HEIGHT', 'TIP', 'LAG', 'GAP'],
              ...indexers.map(({ indexer, indexedHeight, tip, gap }) => [
                indexer,
                String(indexedHeight),
                tip === null ? '' : String(tip),
                tip === null ? '' : String(Math.max(tip - indexedHeight, 0)),
                gap ?? '',
              ]),
            ]),
          ],
          command,
        );
      }),
    );
}

/** From the stored state of the indexers, which another process may run. */
async function storedIndexerStatus(documents: Documents): Promise<StoredIndexerStatus[]> {
  const statuses: StoredIndexerStatus[] = [];
  for (const { indexers } of FEATURES) {
    if (!indexers) continue;
    await documents.declare(indexers.collections);
    statuses.push(...(await indexers.status(documents)));
  }
  return statuses;
}
