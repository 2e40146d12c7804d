import { Metadata, type ServiceError, type status } from '@grpc/grpc-js';

/** Ends a call with a status. The trailers identify the error for the client; with some the server sends none. */
export class StatusError extends Error implements Partial<ServiceError> {
  readonly metadata = new Metadata();
  constructor(
    readonly code: status,
    readonly details: string,
    trailers: Readonly<Record<string, string>> = {},
  ) {
    super(details);
    for (const [name, value] of Object.entries(trailers)) this.metadata.set(name, value);
  }
}
