import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { nextCommand } from './connect.ts'
import { suggestion } from '../contract/suggestion.ts'
import { messageOf } from '../core/background.ts'
import { packageRoot } from '../core/package-root.ts'
import { CommandError } from './command-error.ts'
import { headingOf, sampleFolders } from './pages.ts'
import { pathToPackage } from './path-to-package.ts'

/** A project to copy: a test kit or a recipe. */
export interface Sample {
  name: string
  /** Question that it answers: the heading of its README.md. */
  title: string
  folder: string
}

/** Results of an installation or a test run, which a clone may have. */
const leftovers = new Set([
  'node_modules',
  'package-lock.json',
  '.venv',
  '__pycache__',
  '.next',
  '.pytest_cache',
  'test-results',
])

/** Lists the samples of the package, by name. */
export function listSamples(root = packageRoot): Sample[] {
  return sampleFolders
    .flatMap((parent) => {
      const path = join(root, parent)
      if (!existsSync(path)) return []
      return readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(path, entry.name))
    })
    .filter((folder) => existsSync(join(folder, 'README.md')))
    .map((folder) => {
      const title = headingOf(readFileSync(join(folder, 'README.md'), 'utf8'))
      return { name: basename(folder), title, folder }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** @throws {CommandError} for an unknown name */
export function sampleNamed(name: string): Sample {
  const samples = listSamples()
  const sample = samples.find((one) => one.name === name)
  if (sample !== undefined) return sample
  const names = samples.map((one) => one.name)
  throw new CommandError(
    `Unknown sample ${name}${suggestion(name, names)}. List them: ${nextCommand(['init', '--sample'], {})}`,
  )
}

/**
 * Copies a sample. Its package.json gets this package, from where it is.
 * @returns the copied files, relative to the target
 * @throws {CommandError} if the target has one of the files; nothing is written then
 */
export async function copySample({ folder }: Sample, target: string): Promise<string[]> {
  const files = filesOf(folder)
  // npm would link the package instead, and a linked one does not find the test kit beside the sample.
  const manifest = files.includes('package.json') ? { '.npmrc': 'install-links=true\n' } : {}
  const all = [...files, ...Object.keys(manifest)]
  const present = all.filter((name) => existsSync(join(target, name)))
  if (present.length > 0) {
    throw new CommandError(
      `${target} already has ${present.join(', ')}. Use another folder; nothing was written.`,
      { exitCode: 2 },
    )
  }
  try {
    for (const name of files) {
      await mkdir(dirname(join(target, name)), { recursive: true })
      await copyFile(join(folder, name), join(target, name))
    }
    for (const [name, text] of Object.entries(manifest)) await writeFile(join(target, name), text)
    if (files.includes('package.json')) await addThisPackage(target)
  } catch (error) {
    throw new CommandError(
      `Cannot write to ${target} (${messageOf(error)}). Use a writable folder.`,
      { exitCode: 2, cause: error },
    )
  }
  return all.toSorted()
}

/** Returns the commands that install and run a sample: the first block of its README.md. */
export async function commandsOf({ folder }: Sample): Promise<string[]> {
  const text = await readFile(join(folder, 'README.md'), 'utf8')
  const [, block = ''] = /^```sh\n(.*?)^```/ms.exec(text) ?? []
  return block.trim().split('\n')
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.split('/').some((part) => leftovers.has(part)))
    .toSorted()
}

async function addThisPackage(target: string): Promise<void> {
  const path = join(target, 'package.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as {
    devDependencies?: Record<string, string>
  }
  const devDependencies = {
    ...manifest.devDependencies,
    'hub-sandbox': `file:${pathToPackage(target).replaceAll('\\', '/')}`,
  }
  await writeFile(path, `${JSON.stringify({ ...manifest, devDependencies }, undefined, 2)}\n`)
}
