import type { Readable } from 'node:stream'
import { beginningOf } from '../core/encode-text.ts'

/** Longest line in characters: a program may never end its line. */
const longestLine = 64 * 1024

/**
 * Reads the output of a program by lines, including an unfinished last one. A line of more than 65,536 characters is
 * split.
 */
export function onOutputLine(output: Readable, listener: (line: string) => void): void {
  let started = ''
  /** @returns the last piece */
  const reportPieces = (line: string) => {
    let rest = line
    while (rest.length > longestLine) {
      const piece = beginningOf(rest, longestLine)
      listener(piece)
      rest = rest.slice(piece.length)
    }
    return rest
  }
  output.setEncoding('utf8')
  output.on('data', (text: string) => {
    const lines = (started + text).split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) listener(reportPieces(line.replace(/\r$/, '')))
    started = reportPieces(last)
  })
  output.on('close', () => {
    if (started !== '') listener(started)
    started = ''
  })
}
