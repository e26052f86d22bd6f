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
 * Packs the data for Electron, which splits it at zero bytes and trims each part: a list of 9 to 13 arguments arrived as
 * nothing, since its length reads as white space.
 */
export function packSecondStart(started: SecondStart): { start: string } {
  return { start: encodeURIComponent(JSON.stringify(started)) }
}

/**
 * Parses the arguments of a second start.
 * @param handed its own arguments, packed
 * @param copy Electron's copy of them: reordered, switches first without their values, with additional switches
 */
export function readSecondStart(handed: unknown, copy: SecondStart): Arguments {
  const own = unpack(handed)
  if (own !== undefined) return readArguments(own.argv, own.cwd)
  return readArguments(
    copy.argv.filter((word) => word !== '--port' && word !== '--data'),
    copy.cwd,
  )
}

function unpack(handed: unknown): SecondStart | undefined {
  const { start } = (handed ?? {}) as { start?: unknown }
  if (typeof start !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(decodeURIComponent(start))
    return isSecondStart(value) ? value : undefined
  } catch {
    return undefined
  }
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
