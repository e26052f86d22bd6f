import type { Readable } from 'node:stream'

/** A program may print for ever without ending its line; what it printed so far is not held for longer than this. */
const longestLine = 64 * 1024

/**
 * Hears what a program prints, line by line, the last one whether it was ended or not. A line of more than 65,536
 * characters comes in pieces.
 */
export function onOutputLine(output: Readable, listener: (line: string) => void): void {
  let started = ''
  output.setEncoding('utf8')
  output.on('data', (text: string) => {
    const lines = (started + text).split('\n')
    started = lines.pop() ?? ''
    for (const line of lines) listener(line.replace(/\r$/, ''))
    while (started.length > longestLine) {
      listener(started.slice(0, longestLine))
      started = started.slice(longestLine)
    }
  })
  output.on('close', () => {
    if (started !== '') listener(started)
    started = ''
  })
}
