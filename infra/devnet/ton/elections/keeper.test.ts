import { ElectorContract } from '@ton/ton';
import { clientOf, quietDevnet } from '../../../../test/devnet/ton';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { until } from '../../../../test/until';
import { ROUND } from './schedule';

it('moves the elector on after a start, if the network stopped before it could', async () => {
  const dataDir = temporaryFolder();
  const elector = ElectorContract.create();
  const first = await quietDevnet({ dataDir });
  const id = (await clientOf(first.url).open(elector).getActiveElectionId())!;
  await first.simulation.pause();
  // The step waits for a block that is never produced.
  await first.advanceTime(ROUND.electedFor);
  await first.close();

  const second = await quietDevnet({ dataDir });
  await until(async () => (await clientOf(second.url).open(elector).getActiveElectionId()) !== id);
  await second.close();
});
