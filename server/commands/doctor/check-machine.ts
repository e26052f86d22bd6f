import { lookup } from 'node:dns/promises'
import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../core/background.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { findFolderProblem } from '../../state/private-files.ts'
import { makeFolder } from '../../state/make-folder.ts'
import { type Finding, findingsAbout } from './finding.ts'

export function checkNode(version: string): Finding {
  const { fine, wrong } = findingsAbout('node')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < 20 || (major === 20 && minor < 19)
  return isOld
    ? wrong(`Node ${version} is too old.`, 'Install Node 20.19 or newer.')
    : fine(`Node ${version}`)
}

/** Whether state can be kept there, and whose it would be. */
export async function checkFolder(folder: string): Promise<Finding[]> {
  const { fine, note, wrong } = findingsAbout('folder')
  try {
    const link = look(folder)?.isSymbolicLink() === true
    makeFolder(folder)
    await tryToWrite(folder)
    const told = fine(`The data folder ${folder} can be written.`)
    const leads = link ? [note(`It is a link to ${realpathSync(folder)}.`)] : []
    return [told, ...leads, ...ownerOf(folder)]
  } catch (error) {
    const fix = 'Name another one with --data, or keep nothing with --ephemeral.'
    return [wrong(`The data folder ${folder} cannot be written: ${messageOf(error)}`, fix)]
  }
}

/** A full disk takes a new name, and nothing into it. */
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
  return isOpen
    ? [note('Others on this machine can list it; its files are for their user alone.')]
    : []
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/**
 * Whether programs reach the sandbox by its names that end in `.localhost`, as browsers do (RFC 6761 §6.3). curl, and git with
 * it, take such a name for their own machine or container without a look-up; other programs look it up, and many
 * resolvers do not know it.
 * @param urls where clients reach the sandbox: base URL, then back channel
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
    'Give programs a name of their own: start the sandbox with --back-channel-url, as in http://hub:7420 beside containers, or http://127.0.0.1:7420.'
  return Promise.all(
    names.map(async (name) => {
      const addresses = await resolve(name).catch(() => [])
      if (addresses.length === 0) {
        return wrong(`${name} has no address for programs on this machine, only for browsers.`, fix)
      }
      const text = `${name} is ${addresses.join(' and ')}`
      return addresses.every(isLoopbackHost)
        ? fine(`${text}, as browsers, curl and git assume.`)
        : wrong(`${text}, but curl and git assume that it is this machine or container.`, fix)
    }),
  )
}

async function addressesOf(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}

export async function checkLocalhost(): Promise<Finding> {
  const { fine, wrong } = findingsAbout('localhost')
  const fix = 'Look at the hosts file: localhost is 127.0.0.1 and ::1.'
  try {
    const addresses = await addressesOf('localhost')
    return addresses.every(isLoopbackHost)
      ? fine(`localhost is ${addresses.join(' and ')}.`)
      : wrong(`localhost leads to ${addresses.join(', ')}.`, fix)
  } catch (error) {
    return wrong(`localhost has no address: ${messageOf(error)}`, fix)
  }
}
