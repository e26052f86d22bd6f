import type { Starter } from '../contract/flags.ts'
import { flagName } from '../core/flag-names.ts'
import { userDataFolder } from './data-folder.ts'
import { ownCommand } from './own-command.ts'

/** Who starts a sandbox: what goes without saying differs between a test and a command. */
export interface Caller {
  /** What an option is called there, for messages. */
  name(key: string): string
  /** Whose defaults count. */
  starter: Starter
  /** Whether a fixtures file that lies in the folder is taken unasked. */
  takesFileOfFolder: boolean
  /** What relative paths start from. */
  folder(): string
  /** How the user calls a command for this sandbox. */
  command(): readonly string[]
  /** Where state lives when nothing is said. */
  dataFolder(): string
}

/** `startSandbox` in a program: leaves no traces, and as many as one likes beside each other. */
export const inProcess: Caller = {
  name: (key) => key,
  starter: 'inProcess',
  takesFileOfFolder: false,
  folder: () => process.cwd(),
  command: () => ['npx', '--no', 'hub-sandbox'],
  dataFolder: () => userDataFolder(),
}

/** `hub-sandbox start` */
export const commandLine: Caller = {
  name: flagName,
  starter: 'commandLine',
  takesFileOfFolder: true,
  folder: () => process.cwd(),
  command: () => ownCommand(),
  dataFolder: () => userDataFolder(),
}
