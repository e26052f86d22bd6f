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

/** Lines of JSON. That they are cut off is their end, as where a sandbox was killed. */
export async function* parsedLines<T>(pieces: AsyncIterable<Buffer>): AsyncGenerator<T> {
  const lines = linesOf(pieces)
  try {
    for (;;) {
      const line = await lines.next().catch(() => undefined)
      if (line === undefined || line.done === true) return
      yield JSON.parse(line.value) as T
    }
  } finally {
    await lines.return(undefined)
  }
}
