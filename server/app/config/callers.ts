import { networkInterfaces } from 'node:os'
import type { Starter } from '../../contract/flags.ts'
import { flagName } from '../../core/flag-names.ts'
import { findNetworkAddress } from '../../core/network-address.ts'
import { userDataFolder } from './data-folder.ts'
import { ownCommand } from './own-command.ts'

/** Caller of a start: defaults differ between tests and commands. */
export interface Caller {
  /** Returns the name of an option for messages. */
  name(key: string): string
  /** Kind of start, which determines the defaults. */
  starter: Starter
  /** Whether a fixtures file in the folder is used by default. */
  takesFileOfFolder: boolean
  /** Base of relative paths. */
  folder(): string
  /** Command line for this sandbox. */
  command(): readonly string[]
  /** Default data folder. */
  dataFolder(): string
  /** Address of this machine in its network. */
  networkAddress(): string | undefined
}

/** `startSandbox` in a program: keeps nothing on disk, and any number can run in parallel. */
export const inProcess: Caller = {
  name: (key) => key,
  starter: 'inProcess',
  takesFileOfFolder: false,
  folder: () => process.cwd(),
  command: () => ['npx', '--no', 'hub-sandbox'],
  dataFolder: () => userDataFolder(),
  networkAddress: () => findNetworkAddress(networkInterfaces()),
}

/** `hub-sandbox start` */
export const commandLine: Caller = {
  name: flagName,
  starter: 'commandLine',
  takesFileOfFolder: true,
  folder: () => process.cwd(),
  command: () => ownCommand(),
  dataFolder: () => userDataFolder(),
  networkAddress: () => findNetworkAddress(networkInterfaces()),
}
