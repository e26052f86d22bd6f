import { StringDecoder } from 'node:string_decoder'

/** Splits a stream into lines, without empty ones. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.write(piece)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

/**
 * Parses a stream of JSON lines.
 * @throws the error of the stream; an incomplete line is dropped
 */
export async function* parsedLines<T>(pieces: AsyncIterable<Buffer>): AsyncGenerator<T> {
  for await (const line of linesOf(pieces)) yield JSON.parse(line) as T
}
