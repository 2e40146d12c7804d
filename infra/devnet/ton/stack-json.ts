import type { TupleItem } from '@ton/core';

/** A stack entry as in v4 servers: integers in decimal, cells as bags of cells in base64. */
export function stackItemJson(item: TupleItem): object {
  switch (item.type) {
    case 'int':
      return { type: 'int', value: item.value.toString() };
    case 'tuple':
      return { type: 'tuple', items: item.items.map(stackItemJson) };
    case 'cell':
    case 'slice':
    case 'builder':
      return { type: item.type, cell: item.cell.toBoc().toString('base64') };
    case 'null':
    case 'nan':
      return { type: item.type };
  }
}
