import type { Readable } from 'node:stream'

/** Bytes of a line that are kept: paths come from strangers. */
const longestKept = 8 * 1024

/**
 * Reads the output of a program line by line. Leaving the loop ends the program.
 * @param output whose lines end with a line feed
 */
export async function* printedLines(output: Readable): AsyncGenerator<string, void, undefined> {
  let line = Buffer.alloc(0)
  for await (const chunk of output as AsyncIterable<Buffer>) {
    let start = 0
    for (let end; (end = chunk.indexOf(0x0a, start)) !== -1; start = end + 1) {
      yield addTo(line, chunk.subarray(start, end)).toString()
      line = Buffer.alloc(0)
    }
    line = addTo(line, chunk.subarray(start))
  }
  if (line.length > 0) yield line.toString()
}

function addTo(line: Buffer, more: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([line, more.subarray(0, longestKept - line.length)])
}
