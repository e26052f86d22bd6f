import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { builtCommand, root } from './build-copies.ts'

const caches = join(root, 'node_modules/.cache/bench-commits')

/** Build to compare with. */
export interface OtherBuild {
  /** Short id of the commit, or the folder. */
  name: string
  /** Root folder of its checkout. */
  folder: string
}

/**
 * Finds the build of a checkout, or builds a commit of this repository in a work tree, where it stays for the next run.
 * @param wanted folder of a checkout that is built, or a commit
 * @throws {Error} when the commit does not exist or cannot be built
 */
export async function otherBuild(wanted: string): Promise<OtherBuild> {
  const folder = resolve(wanted)
  if (existsSync(join(folder, builtCommand))) return { name: folder, folder }
  const { status, stdout } = git('rev-parse', '--verify', '--quiet', `${wanted}^{commit}`)
  if (status !== 0) {
    throw new Error(`--against ${wanted}: neither a commit of this repository nor a built checkout`)
  }
  const commit = stdout.trim()
  const place = join(caches, commit)
  if (!existsSync(join(place, builtCommand))) await buildCommit(commit, place)
  return { name: commit.slice(0, 8), folder: place }
}

async function buildCommit(commit: string, place: string): Promise<void> {
  process.stderr.write(`building ${commit.slice(0, 8)}\n`)
  await mkdir(caches, { recursive: true })
  // An interrupted run may have left the work tree without a build.
  if (!existsSync(join(place, 'package.json'))) {
    git('worktree', 'prune')
    must(git('worktree', 'add', '--detach', place, commit), `no work tree of ${commit}`)
  }
  if (hasOurPackages(place)) {
    if (!existsSync(join(place, 'node_modules'))) {
      symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'), 'junction')
    }
  } else {
    must(npm(place, 'ci', '--ignore-scripts'), `the packages of ${commit} cannot be installed`)
  }
  must(npm(place, 'run', 'build'), `${commit} cannot be built`)
}

function hasOurPackages(place: string): boolean {
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  return lockOf(place) === lockOf(root)
}

function git(...args: string[]) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' })
}

function npm(cwd: string, ...args: string[]) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' })
}

/** @throws {Error} with the last line of the output */
function must({ status, stdout, stderr }: ReturnType<typeof git>, what: string): void {
  if (status === 0) return
  const lines = `${stdout}\n${stderr}`.trim().split('\n')
  throw new Error(`${what}: ${lines.at(-1)}`)
}
