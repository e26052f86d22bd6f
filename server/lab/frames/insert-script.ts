import { Transform } from 'node:stream'
import { escapeCharacter } from '../../core/terminal-text.ts'

/** Most bytes that are kept until the place of the script is known. */
const mostBytes = 16_384

/** A space, comment or tag before the content of a page; its group matches in the tag `<head>`. */
const preamble =
  /[\t\n\f\r ]+|\u00EF\u00BB\u00BF|<!--[\s\S]*?-->|<(?:!doctype|html|(head))(?=[\t\n\f\r />])(?:[^>"']|"[^"]*"|'[^']*')*>/iy

/** Beginning of a comment or tag of the preamble whose end has not arrived. */
const unfinished =
  /^(?:$|\u00EF(?:\u00BB)?$|<!--|<(?:!doctype|html|head)(?:[\t\n\f\r /]|$)|<[!a-z-]{0,8}$)/i

/** Returns a script that assigns variables of a static Space as the Hub does; ASCII, so that it fits most encodings. */
export function variablesScript(variables: Readonly<Record<string, string>>): string {
  const json = JSON.stringify(variables).replaceAll(/[<>&]|[^\u0020-\u007E]/g, escapeCharacter)
  return `<script>window.huggingface={variables:${json}};</script>`
}

/**
 * Returns a stream that inserts a script into an HTML page: at the beginning of its head, where the Hub inserts its own.
 * A page without a `<head>` has one implicitly. A page in UTF-16 stays unchanged.
 */
export function insertScript(script: string): Transform {
  let kept: Buffer | undefined = Buffer.alloc(0)

  function insert(page: Buffer, place: number): Buffer {
    kept = undefined
    const isWide = /^(?:\u00FE\u00FF|\u00FF\u00FE)/.test(page.toString('latin1', 0, 2))
    if (isWide) return page
    return Buffer.concat([page.subarray(0, place), Buffer.from(script), page.subarray(place)])
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      if (kept === undefined) return next(undefined, chunk)
      kept = Buffer.concat([kept, chunk])
      const { place, isCertain } = placeOfScript(kept)
      if (isCertain || kept.length > mostBytes) return next(undefined, insert(kept, place))
      next()
    },
    flush(next) {
      if (kept === undefined) return next()
      next(undefined, insert(kept, placeOfScript(kept).place))
    },
  })
}

/** Returns the best place in the beginning of a page, and whether more of the page cannot change it. */
function placeOfScript(page: Buffer): { place: number; isCertain: boolean } {
  // Latin-1 has one character for each byte, so that positions in the text are positions in the page.
  const text = page.toString('latin1', 0, mostBytes)
  let place = 0
  for (;;) {
    preamble.lastIndex = place
    const found = preamble.exec(text)
    if (found === null) break
    place = preamble.lastIndex
    if (found[1] !== undefined) return { place, isCertain: true }
  }
  return { place, isCertain: !unfinished.test(text.slice(place)) }
}
