import { useEffect, useState } from 'preact/hooks';
import { onSessionChange, tokenOf, type Account } from './session';

/** The token of an account; what shows it is shown again when it changes. */
export function useToken(account: Account): string | null {
  const [token, setToken] = useState(() => tokenOf(account));
  useEffect(() => {
    setToken(tokenOf(account));
    return onSessionChange(() => setToken(tokenOf(account)));
  }, [account]);
  return token;
}
