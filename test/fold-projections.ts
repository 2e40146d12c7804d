import { withProjections } from '../infra/cli/with-engines';
import type { Projection } from '../projections/projection';

/** Folds what is recorded, as the program does that runs beside the tool. @param collection of one of the projections */
export async function foldProjections(
  config: Parameters<typeof withProjections>[0],
  projections: readonly Projection[],
  collection: string,
): Promise<void> {
  await withProjections(config, projections, async ({ engines, engine }) => {
    const running = new AbortController();
    const projecting = engine.run(running.signal);
    expect(await engine.views.waitForPosition(collection, await engines.store.head(), 60_000)).toBe(true);
    running.abort();
    await projecting;
  });
}
