import { StringDecoder } from 'node:string_decoder'

/** The lines of a text that comes in pieces; what is empty is left out. */
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
 * Lines of JSON.
 * @throws whatever broke the stream off; what had come of the line by then is left out
 */
export async function* parsedLines<T>(pieces: AsyncIterable<Buffer>): AsyncGenerator<T> {
  for await (const line of linesOf(pieces)) yield JSON.parse(line) as T
}
