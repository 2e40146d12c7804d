interface Place {
  readonly network: string;
  readonly endpoint: string;
}
interface SolanaPlace extends Place {
  readonly websocket: string;
}

/** The local Solana network of a program, and the settings by which another program uses all networks of that one. */
export interface LocalNetwork {
  readonly endpoint: string;
  readonly websocket: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** The networks that `GET /devnet` of a program names. */
export async function localNetwork(url: string): Promise<LocalNetwork> {
  const response = await fetch(`${url}/devnet`);
  const places = (await response.json()) as { ton: readonly Place[]; solana: readonly SolanaPlace[] };
  const { endpoint, websocket } = places.solana.find(({ network }) => network === 'mainnet')!;
  const settings = (['ton', 'solana'] as const).flatMap(chain =>
    places[chain].map(place => [`${chain}_RPC_URL_${place.network}`.toUpperCase(), place.endpoint]),
  );
  return { endpoint, websocket, settings: Object.fromEntries(settings) as Record<string, string> };
}
