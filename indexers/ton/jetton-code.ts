import type { JettonCode } from '../../contracts/events/gasless-jetton';
import type { TonClient } from '../../contracts/ports/ton-client';
import { askContract } from './get-method';

/** The code of the jetton master at an address (raw), and that of wallets as it says (TEP-74); null when there is no jetton. */
export async function readJettonCode(
  client: Pick<TonClient, 'getAccount' | 'runMethod'>,
  seqno: number,
  master: string,
): Promise<JettonCode | null> {
  const [{ code }, { value: wallet }] = await Promise.all([
    client.getAccount(seqno, master),
    askContract(client, seqno, master, 'get_jetton_data', [], stack => {
      stack.skip(4);
      return stack.readCell();
    }),
  ]);
  return code && wallet && { master: hashOf(code), wallet: hashOf(wallet) };
}

const hashOf = (cell: { hash(): Buffer }): string => cell.hash().toString('hex');
