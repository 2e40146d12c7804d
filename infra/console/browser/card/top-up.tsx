import type { CardAccountView } from '../../../../contracts/http/card/fields';
import { useRead } from '../elements/use-read';
import { localNetworks } from './local-networks';

/** How money comes to an account: by a payment on its chain, which local networks make for everybody. */
export function TopUp({ account: { network, address } }: { readonly account: CardAccountView }) {
  const { value } = useRead(localNetworks, []);
  if (address === undefined) return null;
  const tonNetwork = network === 'ton-testnet' ? 'testnet' : 'mainnet';
  const faucet = value?.ton.find(each => each.network === tonNetwork)?.faucet;
  return (
    <details>
      <summary>Top it up</summary>
      <p>
        Send coins of the network to <code>{address}</code>. They are there once the payment is final.
      </p>
      {network !== 'solana' && faucet !== undefined && (
        <>
          <p>The local network gives coins that have no value:</p>
          <pre>{`curl -H 'Content-Type: application/json' ${faucet} -d '{"address":"${address}","amount":"5000000000"}'`}</pre>
        </>
      )}
    </details>
  );
}
