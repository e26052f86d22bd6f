import { Readable } from 'node:stream'
import { clearTimeout, setTimeout } from '../../core/timers.ts'
import type { BodyPace } from './wire.ts'

/** Pieces of a slow body. */
const pieces = 10

/** Returns a body that is sent in pieces, or whose second half never comes. Destroy it when the exchange has ended. */
export function slowBody(bytes: Uint8Array, pace: BodyPace): Readable {
  const isHalf = pace.kind === 'half'
  const size = Math.max(1, Math.ceil(bytes.length / (isHalf ? 2 : pieces)))
  const pauseMs = isHalf ? 0 : pace.overMs / pieces
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  return new Readable({
    read() {
      if (isHalf && sent > 0) return
      if (sent === bytes.length) {
        this.push(null)
        return
      }
      timer = setTimeout(() => {
        const piece = bytes.subarray(sent, sent + size)
        sent += piece.length
        this.push(piece)
      }, pauseMs)
    },
    destroy(error, done) {
      clearTimeout(timer)
      done(error)
    },
  })
}
