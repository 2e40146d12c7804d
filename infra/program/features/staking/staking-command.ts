import { Command } from 'commander';
import { z } from 'zod';
import { PERIODS, type ApyOfRound, type NominatorResponse } from '../../../../contracts/http/staking/indexer';
import { tonAddress } from '../../../../contracts/http/ton/fields';
import type { Config } from '../../../config/settings';
import { print } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { askProgram, notRunning, urlOption } from '../../commands/running-program';
import { askIndexer, explainMember, explainRound } from './explain';

const input = z.object({
  pool: tonAddress,
  member: tonAddress.optional(),
  period: z.enum(PERIODS).optional(),
  testnet: z.boolean().optional(),
  url: z.string().optional(),
});

/** What the staking indexer answers, and how it follows from what was observed. */
export function stakingCommand(config: () => Config): Command {
  return new Command('staking')
    .description('yields of nominator pools, and profits of their members')
    .addCommand(
      new Command('explain')
        .description(
          'show how the yield of each round follows from what was observed, or the profit of a member',
        )
        .argument('<pool>', 'a pool that is followed; a test-only address belongs to testnet')
        .option('--member <address>', 'explain the profit of this member')
        .option('--period <period>', `${PERIODS.join(', ')}; default: all`)
        .option('--testnet', 'for raw addresses')
        .addOption(urlOption())
        .action(async (given: string, flags: object, command: Command) => {
          const { pool, member, period, testnet, url } = parseInput(input, { ...flags, pool: given });
          const program = await askProgram(config(), url);
          if (!program.running) throw new Error(notRunning(program));
          const asked = { fixedPeriod: period, isTestnet: testnet };
          const nominatorOf = (addr: string) =>
            askIndexer<NominatorResponse>(program.url, 'nominator', { ...asked, pool, addr });
          const expectFollowed = ({ isFollowed }: NominatorResponse): void => {
            if (!isFollowed) throw new Error(`${given}: the pool is not followed`);
          };
          if (member === undefined) {
            const rounds = await askIndexer<readonly ApyOfRound[]>(program.url, 'pool/apy', {
              ...asked,
              address: pool,
            });
            if (rounds.length === 0) expectFollowed(await nominatorOf(pool));
            const lines = rounds.length > 0 ? rounds.flatMap(explainRound) : ['no rounds that have ended'];
            print({ rounds }, lines, command);
            return;
          }
          const answer = await nominatorOf(member);
          expectFollowed(answer);
          const { nominator } = answer;
          print(answer, nominator ? explainMember(nominator) : ['no deposits or withdrawals'], command);
        }),
    );
}
