import type { ContentShelf } from '../../../server/hub/uploads/commit-contents.ts'

/** Stores contents under their number. */
export function contentShelf(): ContentShelf & { readonly kept: Buffer[] } {
  const kept: Buffer[] = []
  return {
    kept,
    write: (content) => String(kept.push(Buffer.from(content))),
    written: () => undefined,
  }
}
