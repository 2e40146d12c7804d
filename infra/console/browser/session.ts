/** Billing is administered with a token of the instance; a card holder has one of its own. */
export type Account = 'billing' | 'card';

export type CardNetwork = 'mainnet' | 'testnet';

type Listener = () => void;
const listeners = new Set<Listener>();

const keyOf = (account: Account): string => `tidemark-console-${account}`;
const NETWORK = 'tidemark-console-card-network';

/** The token that was pasted last: it stays in this tab of the browser, until it is closed. */
export function tokenOf(account: Account): string | null {
  return sessionStorage.getItem(keyOf(account));
}

export function signIn(account: Account, token: string): void {
  sessionStorage.setItem(keyOf(account), token);
  for (const listener of listeners) listener();
}

export function signOut(account: Account): void {
  sessionStorage.removeItem(keyOf(account));
  for (const listener of listeners) listener();
}

export function cardNetwork(): CardNetwork {
  return sessionStorage.getItem(NETWORK) === 'testnet' ? 'testnet' : 'mainnet';
}

export function chooseCardNetwork(network: CardNetwork): void {
  sessionStorage.setItem(NETWORK, network);
}

/** @returns what ends it */
export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
