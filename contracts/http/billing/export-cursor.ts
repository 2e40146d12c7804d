import { z } from 'zod';
import { decodeBase64url } from '../../encoding/base64';
import type { Position } from '../../position';
import { instant } from './fields';
import { readJson } from '../../json/read-json';

/** Where an export continues: after a row of the ledger as of a position. */
export interface ExportCursor {
  /** The position of the first part, and so of all parts. */
  readonly position: Position;
  /** The last row before it. */
  readonly after: { readonly created_at: string; readonly id: string };
  /** Identifies the other fields of the request, which must stay the same. */
  readonly query: string;
  /** Identifies the ledger, whose positions mean nothing in another one. */
  readonly ledger: string;
}

const content = z
  // There was a row before it, and so a position.
  .tuple([z.int().min(0), instant, z.string().max(150), z.string().max(32), z.string().max(32)])
  .transform(([position, created_at, id, query, ledger]): ExportCursor => ({
    position,
    after: { created_at, id },
    query,
    ledger,
  }));

/** The opaque form that clients send back. */
export function formatExportCursor({ position, after, query, ledger }: ExportCursor): string {
  const parts = [position, after.created_at, after.id, query, ledger];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Null when the text is not a cursor. */
export function parseExportCursor(text: string): ExportCursor | null {
  const bytes = decodeBase64url(text);
  try {
    const parsed = bytes && content.safeParse(readJson(bytes.toString())).data;
    return parsed && formatExportCursor(parsed) === text ? parsed : null;
  } catch {
    return null;
  }
}

export const exportCursor = z
  .string()
  .max(512)
  .refine(text => parseExportCursor(text) !== null, 'must be the `cursor` of an earlier part of the export')
  .meta({ example: 'WzQ3LCIyMDI2LTAxLTIwVDExOjAwOjAwLjAwMFoiLCJmZWUtMSIsImYwIiwiYTEiXQ' });
