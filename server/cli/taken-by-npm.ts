import { commandText } from '../core/shell-words.ts'
import { ownCommand } from '../app/config/own-command.ts'

/** Flags that npm has too: it sets their variables for reasons of its own. */
const npmHas: ReadonlySet<string> = new Set(['--json'])

/**
 * Returns a notice of the flags that npm took for options of its own: `npm start --ephemeral`, and npx with an option
 * right after the program's name, start a program without arguments, and leave the flag in a variable.
 * @param flags long names that the command knows and was not given
 */
export function noticeOfTaken(
  flags: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (env['npm_command'] === undefined) return undefined
  const given = new Set(
    Object.entries(env).flatMap(([name, value]) => (value === '' ? [] : [name])),
  )
  const taken = flags.filter((flag) => {
    return given.has(`npm_config_${flag.slice(2).replaceAll('-', '_')}`) && !npmHas.has(flag)
  })
  if (taken.length === 0) return undefined
  const names = taken.join(' ')
  const direct = commandText([...ownCommand(), 'start'])
  const call = env['npm_command'] === 'exec' ? `${direct} ${names}` : `npm start -- ${names}`
  return `npm took ${names} for an option of its own, so it has no effect. Write: ${call}`
}
