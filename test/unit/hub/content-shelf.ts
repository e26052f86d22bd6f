import type { ContentShelf } from '../../../server/hub/line-content.ts'

/** Keeps contents under their number, and tells what was put aside of them. */
export function contentShelf(): ContentShelf & {
  readonly kept: Buffer[]
  /** How many are on their way. */
  open(): number
  /** How many bytes one of them had at most. */
  most(): number
} {
  const kept: Buffer[] = []
  let [open, most] = [0, 0]
  return {
    kept,
    open: () => open,
    most: () => most,
    receiveBlob() {
      const chunks: Buffer[] = []
      let size = 0
      let isOpen = true
      open += 1
      return {
        async write(bytes) {
          chunks.push(Buffer.from(bytes))
          size += bytes.length
          most = Math.max(most, size)
        },
        async *read() {
          yield* chunks
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
