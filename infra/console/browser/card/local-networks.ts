interface LocalNetworks {
  /** Whether their accounts have been made. */
  readonly seeded: boolean;
  readonly ton: readonly { readonly network: string; readonly faucet: string }[];
}

/** What `/devnet` says; null where there are no local networks, or not for this browser. */
export async function localNetworks(): Promise<LocalNetworks | null> {
  const response = await fetch('/devnet');
  return response.ok ? ((await response.json()) as LocalNetworks) : null;
}
