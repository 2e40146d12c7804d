import { createPublicKey } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { startChangellyDouble, type ChangellyDoubleOptions } from './changelly-double';
import { SCENARIOS, type ScenarioName } from './scenarios';

/*
 * The double of the exchange partner as a program of its own. Prints its URL and the API key, as JSON; SIGTERM and SIGINT end it.
 */

const positive = (text: string): number => {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
};

type Flags = Required<Pick<ChangellyDoubleOptions, 'host' | 'port' | 'speed' | 'requestsPerSecond'>> & {
  readonly scenario: ScenarioName;
  readonly dataDir?: string;
};

const program = new Command('changelly-double')
  .description('Serves the API v2 of Changelly on this machine. No coin moves.')
  .argument('<public-key>', 'RSA key that requests are signed with: PKCS #1 DER in hexadecimal')
  .option('--host <host>', 'where to listen', '127.0.0.1')
  .option('--port <port>', '0 takes a free one', Number, 0)
  .option('--speed <factor>', 'how much faster orders go through their scenarios', positive, 1)
  .option('--requests-per-second <count>', 'the request limit', positive, 10)
  .option('--data-dir <folder>', 'keeps the orders there')
  .addOption(
    new Option('--scenario <name>', 'of orders that name none')
      .choices(Object.keys(SCENARIOS))
      .default('happy'),
  )
  .action(async (hex: string, flags: Flags) => {
    const publicKey = createPublicKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'pkcs1' });
    const double = await startChangellyDouble({ publicKey, ...flags });
    const stop = (): void => void double.close();
    process.once('SIGTERM', stop).once('SIGINT', stop);
    process.stdout.write(`${JSON.stringify({ url: double.url, apiKey: double.apiKey })}\n`);
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
