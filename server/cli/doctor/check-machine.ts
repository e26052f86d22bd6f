import { lookup } from 'node:dns/promises'
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../core/background.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { findFolderProblem } from '../../store/private-files.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { type Finding, findingsAbout } from './finding.ts'

export function checkNode(version: string): Finding {
  const { fine, wrong } = findingsAbout('node')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < 20 || (major === 20 && minor < 19)
  return isOld
    ? wrong(`Node ${version} is too old.`, 'Install Node 20.19 or newer.')
    : fine(`Node ${version}`)
}

/** Checks that the data folder is writable and private. */
export async function checkFolder(folder: string): Promise<Finding[]> {
  const { fine, note, wrong } = findingsAbout('folder')
  try {
    const link = look(folder)?.isSymbolicLink() === true
    makeFolder(folder)
    await tryToWrite(folder)
    const writable = fine(`The data folder ${folder} is writable.`)
    const leads = link ? [note(`It is a link to ${realpathSync(folder)}.`)] : []
    return [writable, ...leads, ...ownerOf(folder)]
  } catch (error) {
    const fix = 'Choose another folder with --data, or use --ephemeral.'
    return [wrong(`The data folder ${folder} is not writable: ${messageOf(error)}`, fix)]
  }
}

/** Writes content too: a full disk still accepts an empty file. */
async function tryToWrite(folder: string): Promise<void> {
  const file = join(folder, `.doctor-${process.pid}.tmp`)
  try {
    await writeFile(file, Buffer.alloc(4096), { mode: 0o600 })
  } finally {
    await rm(file, { force: true })
  }
}

/** Windows has neither owners nor modes of this kind. */
function ownerOf(folder: string): Finding[] {
  const { note, wrong } = findingsAbout('folder')
  const stats = look(folder)
  if (stats === undefined || process.getuid === undefined) return []
  const found = findFolderProblem(folder)
  if (found !== undefined) return [wrong(`${found.problem}.`, found.fix)]
  const isOpen = (stats.mode & 0o077) !== 0
  return isOpen ? [note('Other users of this machine can list it, but not read its files.')] : []
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/**
 * Checks that programs reach the sandbox by its names under `.localhost`, as browsers do (RFC 6761 §6.3). curl and
 * git treat such a name as their own machine or container without a lookup; other programs look it up, and many
 * resolvers do not know it.
 * @param urls of the sandbox: base URL, then back channel
 */
export async function checkLocalhostNames(
  urls: readonly string[],
  resolve: (name: string) => Promise<readonly string[]> = addressesOf,
): Promise<Finding[]> {
  const names = urls.map((url) => new URL(url).hostname)
  // One name that every program resolves is enough.
  const onlyBrowsers = (name: string) => name !== 'localhost' && name.endsWith('.localhost')
  if (!names.every(onlyBrowsers)) return []
  const { fine, wrong } = findingsAbout('localhost')
  const fix =
    'Start the sandbox with --back-channel-url and a host name that programs can resolve: http://hub:7420 between containers, or http://127.0.0.1:7420.'
  return Promise.all(
    names.map(async (name) => {
      const addresses = await resolve(name).catch(() => [])
      if (addresses.length === 0) {
        return wrong(
          `${name} resolves in browsers, but not in other programs on this machine.`,
          fix,
        )
      }
      const text = `${name} resolves to ${addresses.join(' and ')}`
      return addresses.every(isLoopbackHost)
        ? fine(`${text}, as browsers, curl and git assume.`)
        : wrong(`${text}, but curl and git assume this machine or container.`, fix)
    }),
  )
}

async function addressesOf(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}

export async function checkLocalhost(): Promise<Finding> {
  const { fine, wrong } = findingsAbout('localhost')
  const fix = 'Check the hosts file: localhost must be 127.0.0.1 and ::1.'
  try {
    const addresses = await addressesOf('localhost')
    return addresses.every(isLoopbackHost)
      ? fine(`localhost resolves to ${addresses.join(' and ')}.`)
      : wrong(`localhost resolves to ${addresses.join(', ')}.`, fix)
  } catch (error) {
    return wrong(`localhost does not resolve: ${messageOf(error)}`, fix)
  }
}
