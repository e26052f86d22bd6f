import { usualPort } from '../server/contract/usual-address.ts'
import { type Arguments, ownDataFolder, readArguments } from './arguments.ts'
import type { Desktop } from './desktop.ts'
import type { ElectronApi } from './electron-api.ts'

/** Data that a second start passes to the first. */
export interface SecondStart {
  argv: readonly string[]
  cwd: string
}

/**
 * Parses the arguments of a second start.
 * @param handed its own arguments; Electron's copy may be reordered and has additional switches
 */
export function readSecondStart(handed: unknown, copy: SecondStart): Arguments {
  const { argv, cwd } = isSecondStart(handed) ? handed : copy
  return readArguments(argv, cwd)
}

function isSecondStart(value: unknown): value is SecondStart {
  const { argv, cwd } = (value ?? {}) as Partial<SecondStart>
  return (
    typeof cwd === 'string' &&
    Array.isArray(argv) &&
    argv.every((word: unknown) => typeof word === 'string')
  )
}

/** Returns the options of a second start that differ from the current ones, as typed. */
export function unusedOptions(given: Arguments, inForce: Arguments): string[] {
  const portOf = ({ port }: Arguments) => port ?? String(usualPort)
  return [
    ...(given.port !== undefined && given.port !== portOf(inForce) ? [`--port ${given.port}`] : []),
    ...(given.data !== undefined && given.data !== ownDataFolder(inForce)
      ? [`--data ${given.data}`]
      : []),
    ...(given.ephemeral && !inForce.ephemeral ? ['--ephemeral'] : []),
  ]
}

/**
 * Shows the options of a second start that the sandbox lacks, and offers a restart with them.
 * @returns whether to restart
 */
export async function askForOptions(
  { dialog }: Pick<ElectronApi, 'dialog'>,
  { own }: Pick<Desktop, 'own'>,
  unused: readonly string[],
): Promise<boolean> {
  const where = own.running === undefined ? '' : ` It runs at ${own.running.url}.`
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: 'hub-sandbox',
    message: 'The sandbox is already running with other options',
    detail: `Not used: ${unused.join(' ')}.${where} Restarting cancels requests in flight; the state is saved.`,
    buttons: ['Restart with New Options', 'Keep Current'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}
