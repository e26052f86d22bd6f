import { Refusal } from '../../core/refusal.ts'
import type { ChunkTable } from '../../store/objects/chunk-table.ts'
import type { KeptLfsContents } from '../../store/objects/lfs-contents.ts'

/** Tables to remember, of up to 300 KB each. */
const mostTables = 16

/** Returns the chunks of a xorb. */
export type TableOf = (xorb: string) => ChunkTable

/**
 * Remembers the tables of the last xorbs: the terms of a file take turns with few of them.
 * @param missing describes a xorb that is not here
 */
export function rememberTables(
  lfs: Pick<KeptLfsContents, 'xorbChunks'>,
  missing: (xorb: string) => Refusal = () => new Refusal('not_found', 'There is no such xorb'),
): TableOf {
  const tables = new Map<string, ChunkTable>()
  return (xorb) => {
    const table = tables.get(xorb) ?? lfs.xorbChunks(xorb)
    if (table === undefined) throw missing(xorb)
    tables.delete(xorb)
    tables.set(xorb, table)
    for (const oldest of tables.keys()) {
      if (tables.size <= mostTables) break
      tables.delete(oldest)
    }
    return table
  }
}
