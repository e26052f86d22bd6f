import { usualPort } from '../server/contract/usual-address.ts'
import { type Arguments, ownDataFolder, readArguments } from './arguments.ts'
import type { Desktop } from './desktop.ts'
import type { ElectronApi } from './electron-api.ts'

/** What a second start hands to the first. */
export interface SecondStart {
  argv: readonly string[]
  cwd: string
}

/**
 * Reads what a second start was called with.
 * @param handed its own words; Electron's copy of them may be in another order, and has switches added
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

/** The options of a second start that differ from those in force, as they are typed. */
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
 * Says which options of a second start the sandbox does not have, and asks whether to start it again with them.
 * @returns whether to
 */
export async function askForOptions(
  { dialog }: Pick<ElectronApi, 'dialog'>,
  { own }: Pick<Desktop, 'own'>,
  unused: readonly string[],
): Promise<boolean> {
  const where = own.running === undefined ? '' : ` It answers at ${own.running.url}.`
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: 'hub-sandbox',
    message: 'The sandbox already runs with other options',
    detail: `Not used: ${unused.join(' ')}.${where} Starting it again ends what is in flight; what it keeps is saved.`,
    buttons: ['Start Again With Them', 'Leave It'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}
