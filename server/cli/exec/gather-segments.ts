import type { SegmentSource } from '../../inspect/log/log-segments.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Run } from './run-part.ts'

/** Data that a part of a run read from one segment of the log. */
export interface RunSegment<T> {
  /** Number of the fork, from 1; absent for the sandbox of the run itself. */
  readonly fork?: number
  readonly content: T
}

export interface Gathered<T> {
  /** Segments in the order in which they ended. */
  readonly segments: readonly RunSegment<T>[]
  /** Segments that were dropped for their size, the oldest first. */
  readonly dropped: number
}

/** JSON of the segments that a part keeps. */
const mostBytes = 64 * 1024 * 1024

/**
 * Reads every segment of the log of a run before a reset, a restore or the end of a fork deletes it. For a sandbox that
 * was already running, only the final log can be read.
 * @param read returns `undefined` for an empty segment
 * @returns the segments, once the program has ended; throws the errors of `read`
 */
export function gatherSegments<T>(
  { segments, connection }: Pick<Run, 'segments' | 'connection'>,
  read: (source: SegmentSource) => Promise<T | undefined>,
  most = mostBytes,
): () => Promise<Gathered<T>> {
  const kept: { fork?: number; text: string }[] = []
  const failures: unknown[] = []
  let bytes = 0
  let dropped = 0

  async function take(source: SegmentSource): Promise<void> {
    try {
      const content = await read(source)
      if (content === undefined) return
      // Kept as strings: their size is counted, and thousands of small objects would stay in memory until the end.
      const text = JSON.stringify(content)
      bytes += Buffer.byteLength(text)
      kept.push({ ...omitUndefined({ fork: source.fork }), text })
      while (bytes > most && kept.length > 1) {
        bytes -= Buffer.byteLength(kept.shift()?.text ?? '')
        dropped += 1
      }
    } catch (error) {
      failures.push(error)
    }
  }
  segments?.onEnd(take)
  return async () => {
    if (segments === undefined) await take({ ...connection, inherited: new Set() })
    if (failures.length > 0) throw failures[0]
    const all = kept.map(({ text, ...name }) => ({ ...name, content: JSON.parse(text) as T }))
    return { segments: all, dropped }
  }
}

/** Sentence about the segments that a file does not hold. */
export function droppedSentence(file: string, dropped: number): string {
  const what = dropped === 1 ? 'the oldest segment' : `the ${dropped} oldest segments`
  return `${file} lacks ${what} of the log (a reset starts a new segment): the run logged more than ${mostBytes / 1024 ** 2} MiB.`
}
