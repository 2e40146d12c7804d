import { Metadata, type ServiceError, type status } from '@grpc/grpc-js';

/** Ends a call with a status; the trailers identify the error for the client, unless the server sends none with it. */
export class StatusError extends Error implements Partial<ServiceError> {
  readonly details: string;
  readonly metadata: Metadata;
  constructor(
    readonly code: status,
    exception: string,
    trailers: Readonly<Record<string, string>> | null,
  ) {
    super(exception);
    this.details = exception;
    this.metadata = new Metadata();
    if (trailers === null) return;
    for (const [name, value] of Object.entries({ exception, ...trailers })) this.metadata.set(name, value);
  }
}
