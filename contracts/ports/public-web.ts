export interface WebRequest {
  /** A larger body is an error, decompressed or as it is sent. */
  readonly maxBytes: number;
  /** Of the whole read, redirects included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Media types, such as `image/*`, that the document may have; default: any, though JSON is asked for. */
  readonly accept?: readonly string[];
  /** Called with each URL before it is requested, redirects included: what it throws ends the read. */
  readonly admit?: (url: URL) => void | Promise<void>;
}

export interface WebDocument {
  readonly bytes: Buffer;
  /** After redirects. */
  readonly url: string;
  /** Media type with its parameters, as the server says; empty where it does not. */
  readonly contentType: string;
}

/**
 * The public web, for URLs that anybody may have written: a request never reaches a private network, and never carries
 * credentials.
 */
export interface PublicWeb {
  /**
   * What a GET that ends with status 200 answers.
   * @throws WebAddressRefused for a URL, a redirect or a resolved address that is not allowed; Error for every failure
   */
  read(url: string, request: WebRequest): Promise<WebDocument>;
  /** The bytes that `read` reads. */
  get(url: string, request: WebRequest): Promise<Buffer>;
}

/** The URL, or what its host name resolves to, is not of the public web. */
export class WebAddressRefused extends Error {
  override readonly name = 'WebAddressRefused';
}
