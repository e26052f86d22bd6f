import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { userDataFolder } from '../server/app/config/data-folder.ts'
import { ConfigError } from '../server/core/config-error.ts'
import { readFlag } from '../server/app/config/read-flag.ts'
import { flags } from '../server/contract/flags.ts'
import type { SandboxOptions } from '../server/contract/options-types.ts'
import { usualPort } from '../server/contract/usual-address.ts'
import { isLink } from './links.ts'

/** Extension of fixtures files for the desktop app. */
export const fixturesExtension = '.hubsandbox'

export interface Arguments {
  /** Absolute paths of the fixtures files to open. */
  files: string[]
  /** Links to open. */
  links: string[]
  port?: string
  data?: string
  ephemeral: boolean
}

/**
 * Parses a command line. Other arguments belong to Electron and Chromium, which have their own switches and
 * add some to the command line of a second instance. Arguments after a link are ignored: the link may come from any
 * web page, which may have added them.
 * @param cwd base of relative paths
 */
export function readArguments(argv: readonly string[], cwd: string): Arguments {
  const linkAt = argv.findIndex(isLink)
  const link = argv[linkAt]
  const { values, positionals } = parseArgs({
    args: linkAt === -1 ? [...argv] : argv.slice(0, linkAt),
    strict: false,
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      ephemeral: { type: 'boolean' },
    },
  })
  const { port, data, ephemeral } = values
  return {
    links: link === undefined ? [] : [link],
    files: positionals.filter(isFixturesFile).map((path) => resolve(cwd, path)),
    ...(typeof port === 'string' ? { port } : {}),
    ...(typeof data === 'string' ? { data: resolve(cwd, data) } : {}),
    ephemeral: ephemeral === true,
  }
}

export function isFixturesFile(path: string): boolean {
  return path.toLowerCase().endsWith(fixturesExtension)
}

/**
 * Returns the options of the user's own sandbox, which shares the data folder with the command line.
 * @throws {ConfigError} for an invalid port
 */
export function ownSandboxOptions(given: Arguments): SandboxOptions {
  const data = ownDataFolder(given)
  return { port: readPort(given.port), ...(data === undefined ? { ephemeral: true } : { data }) }
}

/** Returns the data folder of the user's own sandbox; undefined if the state is in memory only. */
export function ownDataFolder({ data, ephemeral }: Arguments): string | undefined {
  return ephemeral ? undefined : (data ?? userDataFolder())
}

/**
 * Returns the options of a sandbox for an opened file, which may come from a stranger: in memory, over plain HTTP,
 * whatever the `config` of the file. Security settings are never read from a file.
 */
export function fileSandboxOptions(file: string): SandboxOptions {
  return { fixtures: file, ephemeral: true, https: false, open: false, json: false }
}

/** Default port of the command line, so that clients work with both. */
function readPort(text: string | undefined): number {
  if (text === undefined) return usualPort
  const reading = readFlag(flags.port, text)
  if ('problem' in reading) {
    throw new ConfigError('arguments', [{ path: '--port', message: reading.problem }])
  }
  return reading.value as number
}
