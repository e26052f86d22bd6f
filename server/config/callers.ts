import { userDataFolder } from './data-folder.ts'
import { flagName } from './flags.ts'
import type { LogLevel } from './options.ts'
import { ownCommand } from './own-command.ts'

/** Who starts a sandbox: what goes without saying differs between a test and a command. */
export interface Caller {
  /** What an option is called there, for messages. */
  name(key: string): string
  port: number
  ephemeral: boolean
  logLevel: LogLevel
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
  port: 0,
  ephemeral: true,
  logLevel: 'silent',
  takesFileOfFolder: false,
  folder: () => process.cwd(),
  command: () => ['npx', 'hub-sandbox'],
  dataFolder: () => userDataFolder(),
}

/** `hub-sandbox start` */
export const commandLine: Caller = {
  name: flagName,
  port: 7420,
  ephemeral: false,
  logLevel: 'warn',
  takesFileOfFolder: true,
  folder: () => process.cwd(),
  command: () => ownCommand(),
  dataFolder: () => userDataFolder(),
}
