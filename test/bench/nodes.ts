import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installCached } from '../helpers/cached-install.ts'
import { npmInstall } from './npm-install.ts'

/** Node to measure on, or the reason why it is missing. */
export interface NodeProgram {
  /** Title of its column. */
  name: string
  path: string
  obstacle?: string
}

/** The bench measures on both: on the Node it runs on and on the other one. */
const counterparts = { oldest: 20, newest: 24 }

/** @throws {Error} when the program is not Node or too old */
export function describeNode(path: string): NodeProgram {
  const { stdout, status, error } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  const version = /^v(\d+)\.(\d+)\./.exec(stdout ?? '')
  if (status !== 0 || version === null) {
    throw new Error(`--node ${path}: ${error?.message ?? 'not a Node program'}`)
  }
  const [, major, minor] = version.map(Number)
  if (major! < 20 || (major === 20 && minor! < 19)) {
    throw new Error(`--node ${path}: Node 20.19 or newer is needed, this is ${stdout.trim()}`)
  }
  return { name: `Node ${stdout.trim().slice(1)}`, path }
}

/** Finds this Node and its counterpart, on `PATH` or in the npm registry. */
export async function defaultNodes(): Promise<NodeProgram[]> {
  const own = describeNode(process.execPath)
  const major = Number(process.versions.node.split('.')[0])
  const wanted = major === counterparts.newest ? counterparts.oldest : counterparts.newest
  const other = onPath(wanted) ?? (await installed(wanted))
  return [own, other].toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

function onPath(major: number): NodeProgram | undefined {
  const names = process.platform === 'win32' ? ['node.exe'] : ['node', `node${major}`]
  const files = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => join(folder, name)))
  for (const file of files.filter((path) => existsSync(path))) {
    const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
    if (stdout?.startsWith(`v${major}.`)) return describeNode(file)
  }
  return undefined
}

/** Installs the npm package `node`, which contains the program. */
async function installed(major: number): Promise<NodeProgram> {
  const wanted = [`node@${major}`]
  const { folder, obstacle } = await installCached('bench-node', wanted, (into) =>
    npmInstall(into, wanted, { scripts: true }),
  )
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  const path = join(folder, 'node_modules', 'node', 'bin', program)
  if (obstacle !== undefined) return { name: `Node ${major}`, path, obstacle }
  return describeNode(path)
}
