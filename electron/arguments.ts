import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { userDataFolder } from '../server/config/data-folder.ts'
import { ConfigError } from '../server/core/config-error.ts'
import { readFlag } from '../server/config/read-flag.ts'
import { flags } from '../server/contract/flags.ts'
import type { SandboxOptions } from '../server/contract/options-types.ts'
import { usualPort } from '../server/contract/usual-address.ts'
import { isLink } from './links.ts'

/** How a fixtures file for the desktop app ends. */
export const fixturesExtension = '.hubsandbox'

export interface Arguments {
  /** Absolute paths of the fixtures files to open. */
  files: string[]
  /** Links to follow. */
  links: string[]
  port?: string
  data?: string
  ephemeral: boolean
}

/**
 * Reads a command line. Whatever else is on it belongs to Electron and Chromium, which take switches of their own and
 * add some to the command line of a second instance. Where there is a link nothing else counts: it may be from any web
 * page, and what a page can have written beside it is none of the user's wishes.
 * @param cwd what relative paths start from
 */
export function readArguments(argv: readonly string[], cwd: string): Arguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      ephemeral: { type: 'boolean' },
    },
  })
  const { port, data, ephemeral } = values
  const links = positionals.filter(isLink)
  if (links.length > 0) return { files: [], links, ephemeral: false }
  return {
    links: [],
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
 * The user's own sandbox: state in the data folder that the command line uses too.
 * @throws {ConfigError} when the port is none
 */
export function ownSandboxOptions(given: Arguments): SandboxOptions {
  const data = ownDataFolder(given)
  return { port: readPort(given.port), ...(data === undefined ? { ephemeral: true } : { data }) }
}

/** Where the user's own sandbox keeps its state; undefined when that is in memory only. */
export function ownDataFolder({ data, ephemeral }: Arguments): string | undefined {
  return ephemeral ? undefined : (data ?? userDataFolder())
}

/**
 * A sandbox for a file that was opened, which may be a stranger's: in memory, beside the user's own, over plain HTTP,
 * whatever the file's `config` says. What decides who reaches a sandbox is never taken from a file.
 */
export function fileSandboxOptions(file: string): SandboxOptions {
  return { fixtures: file, ephemeral: true, https: false, open: false, json: false }
}

/** By default that of the command line: what was set up for one works with the other. */
function readPort(text: string | undefined): number {
  if (text === undefined) return usualPort
  const reading = readFlag(flags.port, text)
  if ('problem' in reading) {
    throw new ConfigError('arguments', [{ path: '--port', message: reading.problem }])
  }
  return reading.value as number
}
