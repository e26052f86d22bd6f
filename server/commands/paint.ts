import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colours a text for a terminal, or leaves it. */
export type Paint = (style: Style, text: string) => string

/**
 * Whether colours are wanted: in a terminal, unless they are switched off by `--no-color` or `NO_COLOR`
 * (https://no-color.org); elsewhere only with `FORCE_COLOR`.
 */
export function wantsColor(
  { color = true }: { color?: boolean },
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (!color || (env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  return forced === undefined ? isTerminal && env['TERM'] !== 'dumb' : forced !== '0'
}

export function createPaint(colored: boolean): Paint {
  return colored
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text
}

/** A text from outside for one line of a terminal: it moves no cursor, sets no title and turns no writing round. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ')
}

/** The same for a text of several lines. */
export function manyLines(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]+|\p{Bidi_Control}+/gu, ' ')
}
