import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colors a text for a terminal. */
export type Paint = (style: Style, text: string) => string

/**
 * Checks whether colours are wanted: in a terminal, unless they are switched off by `--no-color` or `NO_COLOR`
 * (https://no-color.org); elsewhere only with `FORCE_COLOR`.
 */
export function wantsColor(
  { color = true }: { color?: boolean },
  // Node leaves isTTY undefined in a pipe, whatever its types say.
  isTerminal: boolean | undefined,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (!color || (env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  return forced === undefined ? isTerminal === true && env['TERM'] !== 'dumb' : forced !== '0'
}

export function createPaint(colored: boolean): Paint {
  return colored
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text
}
