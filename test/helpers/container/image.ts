import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  commandOf,
  type DockerStage,
  expand,
  lastOf,
  pairsOf,
  parseDockerfile,
} from './dockerfile.ts'

/**
 * What stands in for an image where no container engine is: the files that the Dockerfile would put there, over the
 * programs of this machine, run in namespaces of their own.
 */
export interface StandInImage {
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  readonly directory: string
  /** Default command of a container. */
  readonly command: readonly string[]
  readonly entrypoint: readonly string[]
  readonly health: readonly string[]
}

export interface ContainerOptions {
  /** In place of the image's `CMD`. */
  arguments?: readonly string[]
  /** Beside the image's `ENV`. */
  environment?: Record<string, string>
  /** Folders of this machine that can be written there, by their place in the image. */
  volumes?: Record<string, string>
}

/** Why no stand-in can run here. */
export function obstacleToImages(): string | undefined {
  if (process.platform !== 'linux') return 'namespaces are of Linux'
  if (process.getuid?.() !== 0) return 'only root may make namespaces and mounts'
  if (!process.execPath.startsWith('/usr/')) return 'Node is not below /usr'
  const { status } = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true'])
  return status === 0 ? undefined : 'unshare cannot make namespaces here'
}

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Makes the files of each stage as the Dockerfile says.
 * @param context folder that is built from
 * @param folder where the stages go
 * @param args in place of the defaults of `ARG`s in stages
 */
export function buildStandIn(
  source: string,
  context: string,
  folder: string,
  args: Readonly<Record<string, string>> = {},
): StandInImage {
  const stages = parseDockerfile(source)
  stages.forEach((stage, index) => makeStage(stage, context, join(folder, String(index)), folder))
  const last = stages.at(-1)
  if (last === undefined) throw new Error('the Dockerfile has no stage')
  return {
    root: join(folder, String(stages.length - 1)),
    environment: { PATH: searchPath, ...pairsOf(last, 'ENV', { PATH: searchPath }) },
    user: lastOf(last, 'USER'),
    directory: lastOf(last, 'WORKDIR'),
    entrypoint: commandOf(lastOf(last, 'ENTRYPOINT')),
    command: commandOf(lastOf(last, 'CMD')),
    health: commandOf(lastOf(last, 'HEALTHCHECK')),
  }

  function makeStage(stage: DockerStage, from: string, root: string, all: string): void {
    for (const name of ['usr', 'etc', 'proc', 'dev', 'opt', 'tmp', 'root']) {
      mkdirSync(join(root, name), { recursive: true })
    }
    for (const name of ['bin', 'lib', 'lib64', 'sbin']) symlinkSync(`usr/${name}`, join(root, name))
    const values: Record<string, string> = {}
    for (const { name, text: written, flags } of stage.instructions) {
      if (name === 'ARG') {
        const [key = '', value = ''] = written.split('=', 2)
        values[key] = args[key] ?? value
      }
      // A shell would take its own parameters for those of the build.
      const text = name === 'COPY' ? expand(written, values) : written
      if (name === 'RUN') runToEnd(root, ['sh', '-c', text])
      if (name !== 'COPY') continue
      const index = stages.findIndex((one) => one.name === flags['from'])
      const isOfStage = flags['from'] !== undefined
      copy(text, isOfStage ? join(all, String(index)) : from, root, flags['chown'])
    }
  }
}

function copy(text: string, from: string, root: string, owner?: string): void {
  const words = text.split(/\s+/)
  const target = words.at(-1) ?? ''
  for (const word of words.slice(0, -1)) {
    for (const path of filesLike(from, word)) {
      const place = join(root, target.endsWith('/') ? join(target, basename(path)) : target)
      cpSync(join(from, path), place, { recursive: true, verbatimSymlinks: true })
      if (owner !== undefined) spawnSync('chown', ['--recursive', owner, place])
    }
  }
}

function filesLike(folder: string, pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern]
  const name = basename(pattern)
    .replaceAll('.', String.raw`\.`)
    .replaceAll('*', '.*')
  const found = readdirSync(join(folder, dirname(pattern))).filter((file) =>
    new RegExp(`^${name}$`).test(file),
  )
  if (found.length === 0) throw new Error(`nothing is like ${pattern}`)
  return found.map((file) => join(dirname(pattern), file))
}

function runToEnd(root: string, command: readonly string[]): void {
  const environment = { PATH: searchPath, HOME: '/root' }
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    enter({ root, environment, user: '0:0', directory: '/', isWritable: true }, command),
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
}

/** A container of the image: its program is the first process there, and can write nothing but its volumes. */
export function runContainer(
  image: StandInImage,
  { arguments: words, environment = {}, volumes = {} }: ContainerOptions = {},
) {
  return start(image, [...image.entrypoint, ...(words ?? image.command)], environment, volumes)
}

/** Runs the `HEALTHCHECK` of the image. @returns its exit code */
export async function checkHealth(
  image: StandInImage,
  environment: Record<string, string> = {},
): Promise<number | null> {
  return (await start(image, image.health, environment, {}).ended).code
}

function start(
  { environment, ...image }: StandInImage,
  command: readonly string[],
  more: Record<string, string>,
  volumes: Record<string, string>,
) {
  const all = { ...environment, HOME: '/', ...more }
  const child = spawn('unshare', enter({ ...image, environment: all, volumes }, command), {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
  return {
    ended,
    output: () => output,
    /** Sends it to the first process there, as `docker stop` and `docker kill` do. */
    signal: (name: NodeJS.Signals) => signalFirst(child, name),
  }
}

function signalFirst({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (exitCode !== null || signalCode !== null) return
  const first = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  if (first !== '') process.kill(Number(first), name)
}

interface Inside extends Pick<StandInImage, 'root' | 'environment' | 'user' | 'directory'> {
  isWritable?: boolean
  volumes?: Record<string, string>
}

/** Arguments of `unshare` that confine the command. */
function enter(
  { root, environment, user, directory, isWritable = false, volumes = {} }: Inside,
  command: readonly string[],
): string[] {
  const script = [
    'set -e',
    'root=$1; shift',
    'mount --bind "$root" "$root"',
    'for name in usr etc; do mount --rbind "/$name" "$root/$name"; mount -o remount,bind,ro "$root/$name"; done',
    'mount -t proc proc "$root/proc"',
    'mount --rbind /dev "$root/dev"',
    ...Object.entries(volumes).map(([place, folder]) => `mount --bind '${folder}' "$root${place}"`),
    ...(isWritable ? [] : ['mount -o remount,bind,ro "$root"']),
    `exec chroot --userspec=${user} "$root" env --ignore-environment --chdir=${directory} "$@"`,
  ].join('\n')
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const namespaces = ['--mount', '--pid', '--fork']
  return [...namespaces, 'sh', '-c', script, 'sh', root, ...variables, ...command]
}
