import { kindOf } from '../app/config/flag-kind.ts'
import { flagList } from '../contract/flags.ts'
import { flagName } from '../core/flag-names.ts'

/** Options that may precede a command, and whether a value follows: those of `start`, and those that choose a sandbox. */
const leading: ReadonlyMap<string, boolean> = new Map([
  ['--url', true],
  ...flagList.map((flag) => [flagName(flag.key), kindOf(flag) !== 'switch'] as const),
])

/** Options of `env` with a value, which are misplaced before the command. */
const misplaced = ['--client', '--space', '--for']

/** Returns the command of a command line that may be invalid; `undefined` = none. */
export function commandOf(words: readonly string[]): string | undefined {
  let at = 0
  while (words[at]?.startsWith('-') === true && words[at] !== '--') {
    const [name = '', value] = (words[at] ?? '').split('=', 2)
    const hasValue = leading.get(name) ?? misplaced.includes(name)
    at += hasValue && value === undefined ? 2 : 1
  }
  return words[at]
}

/**
 * Moves options before a command behind its words, where the command reads them: `--url URL status` becomes
 * `status --url URL`. Options without a command are those of `start`.
 */
export function optionsAfterCommand(words: readonly string[]): readonly string[] {
  let at = 0
  while (words[at]?.startsWith('-') === true) {
    const [name = '', value] = (words[at] ?? '').split('=', 2)
    const hasValue = leading.get(name)
    // An unknown option is reported as such.
    if (hasValue === undefined) return words
    at += hasValue && value === undefined ? 2 : 1
  }
  const isPlain = (word: string | undefined) => word !== undefined && !word.startsWith('-')
  if (at === 0 || !isPlain(words[at])) return words
  let end = at
  while (isPlain(words[end])) end += 1
  return [...words.slice(at, end), ...words.slice(0, at), ...words.slice(end)]
}
