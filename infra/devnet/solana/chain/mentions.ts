interface Body {
  readonly message: { readonly accountKeys: readonly string[] };
}
interface Meta {
  readonly loadedAddresses: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
}

/** All accounts a transaction names, from its RPC form. */
export function mentionsOf(body: string, meta: string): string[] {
  const { message } = JSON.parse(body) as Body;
  const { loadedAddresses } = JSON.parse(meta) as Meta;
  return [...message.accountKeys, ...loadedAddresses.writable, ...loadedAddresses.readonly];
}
