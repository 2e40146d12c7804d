import { createLogger } from '../../../infra/config/logger';
import { startTonDevnet } from '../../../infra/devnet/ton/devnet';
import { ISSUER, startLocalRelay, USER_JETTONS } from '../../gasless/local-relay';
import { gaslessUser } from '../gasless-user';

/** One message of the issuer mints for so many. */
const MINTED_AT_A_TIME = 100;

/**
 * Program: a local testnet with a relay wallet that has coins, and so many wallets that have a jetton and no coins; reports its
 * URL.
 */
async function main(users: number, dataDir: string): Promise<void> {
  const logger = createLogger('fatal');
  const devnet = await startTonDevnet({ network: 'testnet', dataDir, host: '127.0.0.1', logger });
  const local = await startLocalRelay(devnet);
  // Each mint takes a fifth of a TON.
  await devnet.faucet(ISSUER.contract.address.toRawString(), BigInt(users) * 1_000_000_000n);
  const owners = Array.from({ length: users }, (_, n) => gaslessUser(n).contract.address);
  for (let from = 0; from < users; from += MINTED_AT_A_TIME)
    await local.mintAll(owners.slice(from, from + MINTED_AT_A_TIME), USER_JETTONS);
  // Paid from for every transfer of a row.
  await devnet.faucet(local.relay.contract.address.toRawString(), 1_000_000_000_000n);
  process.once('SIGTERM', () => void devnet.close().then(() => process.exit(0)));
  process.send!(devnet.url);
}

const [users, dataDir] = process.argv.slice(2);
void main(Number(users), dataDir!);
