import { Command } from 'commander';
import { indexerStandings } from '../program/indexer-status';
import type { Config } from '../program/config';
import { print, table } from './output';
import { withEngines } from './with-engines';

export function statusCommand(config: () => Config): Command {
  return new Command('status')
    .description('how far each projection and each indexer has come')
    .action((_options: object, command: Command) =>
      withEngines(config(), async ({ engines, engine }) => {
        const events = await engines.store.head();
        const projections = await engine.status();
        const indexers = await indexerStandings(engines.documents);
        print(
          { events, projections, indexers },
          [
            `event store: position ${events}`,
            '',
            ...table([
              ['PROJECTION', 'VERSION', 'GENERATION', 'STATE', 'LAG', 'NOTE'],
              ...projections.map(({ name, version, generation, state, lag, fault, building }) => [
                name,
                String(version),
                String(generation),
                state,
                String(lag),
                fault
                  ? `${fault.at}: ${fault.error}`
                  : building
                    ? `building ${building.done}/${building.total}`
                    : '',
              ]),
            ]),
            '',
            ...table([
              ['INDEXER', 'FRONTIER', 'TIP', 'LAG', 'HOLE'],
              ...indexers.map(({ indexer, frontier, tip, hole }) => [
                indexer,
                String(frontier),
                tip === null ? '' : String(tip),
                tip === null ? '' : String(Math.max(tip - frontier, 0)),
                hole ?? '',
              ]),
            ]),
          ],
          command.optsWithGlobals<{ json: boolean }>(),
        );
      }),
    );
}
