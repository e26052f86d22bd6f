import type { ContentShelf } from '../../../server/hub/uploads/commit-contents.ts'

/** Keeps contents under their number, and counts those that are open. */
export function contentShelf(): ContentShelf & {
  readonly kept: Buffer[]
  /** Number of uploads that are not closed. */
  open(): number
} {
  const kept: Buffer[] = []
  let open = 0
  return {
    kept,
    open: () => open,
    receiveBlob() {
      const chunks: Buffer[] = []
      let size = 0
      let isOpen = true
      open += 1
      return {
        async write(bytes) {
          chunks.push(Buffer.from(bytes))
          size += bytes.length
        },
        keep: async () => ({ id: String(kept.push(Buffer.concat(chunks))), size }),
        async close() {
          if (isOpen) open -= 1
          isOpen = false
        },
      }
    },
    written: () => undefined,
  }
}
