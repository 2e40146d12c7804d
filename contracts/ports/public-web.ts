export interface WebRequest {
  /** Decompressed; a larger body is an error. */
  readonly maxBytes: number;
  /** Of the whole read, redirects included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * The public web, for URLs that anybody may have written: a request never reaches a private network, and never carries
 * credentials.
 */
export interface PublicWeb {
  /**
   * The body of a GET that ends with status 200.
   * @throws WebAddressRefused for a URL, a redirect or a resolved address that is not allowed; Error for every failure
   */
  get(url: string, request: WebRequest): Promise<Buffer>;
}

/** The URL, or what its host name resolves to, is not of the public web. */
export class WebAddressRefused extends Error {
  override readonly name = 'WebAddressRefused';
}
