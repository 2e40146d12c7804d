import { useEffect, useState } from 'preact/hooks';

/** What is shown, as the parts of the address behind `#`: `#/billing/invoices/<id>`. Nothing secret is there. */
export type Route = readonly string[];

function currentRoute(): Route {
  return location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodedPart);
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function linkTo(...parts: Route): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  useEffect(() => {
    const update = (): void => setRoute(currentRoute());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
}
