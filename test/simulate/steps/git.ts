import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Commit, KnownRepo } from '../world/facts.ts'
import { users } from '../world/fixtures.ts'
import type { World } from '../world/world.ts'
import { chooseRepo, type NewFile, pageOf, push } from './hub.ts'
import type { Steps } from './step.ts'

const main = 'refs/heads/main'

/** @see gitprotocol-common "pkt-line Format" */
const line = (text: string) =>
  `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`

/** Number of each type in a pack. */
const types = { commit: 1, tree: 2, blob: 3 } as const

interface GitObject {
  readonly type: keyof typeof types
  readonly content: Buffer
  readonly id: string
}

function objectOf(type: GitObject['type'], given: string | Buffer): GitObject {
  const content = Buffer.from(given)
  const id = createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
  return { type, content, id }
}

/** @see gitformat-pack "pack-*.pack files have the following format" */
function packOf(objects: readonly GitObject[]): Buffer {
  const head = Buffer.alloc(12, 'PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(objects.length, 8)
  const parts = objects.flatMap(({ type, content }) => {
    const size = [(types[type] << 4) | (content.length & 15)]
    for (let rest = content.length >> 4; rest > 0; rest >>= 7) {
      size[size.length - 1]! |= 0x80
      size.push(rest & 0x7f)
    }
    return [Buffer.from(size), deflateSync(content)]
  })
  const body = Buffer.concat([head, ...parts])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

/** Objects of a commit whose only file is a given one, the commit first. */
function commitOf({ path, text }: NewFile, parent: string, seconds: number): GitObject[] {
  const blob = objectOf('blob', text)
  const id = (object: GitObject) => Buffer.from(object.id, 'hex')
  const folder = (mode: string, name: string, object: GitObject) =>
    objectOf('tree', Buffer.concat([Buffer.from(`${mode} ${name}\0`), id(object)]))
  const [name = '', ...above] = path.split('/').toReversed()
  const trees = [folder('100644', name, blob)]
  for (const one of above) trees.unshift(folder('40000', one, trees[0]!))
  const person = `Git user <git@example.com> ${seconds} +0000`
  const commit = `tree ${trees[0]!.id}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n\nPush ${path}\n`
  return [objectOf('commit', commit), ...trees, blob]
}

const gitUrl = ({ path }: KnownRepo) => `${pageOf(path)}.git`

/** Returns the commit of the main branch, as git asks for it; `undefined` if the sandbox does not say. */
async function askForMain(
  world: World,
  repo: KnownRepo,
  service: string,
  token: string,
): Promise<string | undefined> {
  const reply = await world.send(`${gitUrl(repo)}/info/refs?service=${service}`, { token })
  if (reply.status !== 200) return undefined
  return new RegExp(`([0-9a-f]{40}) ${main}\\b`).exec(reply.text)?.[1]
}

/** Pushes a commit with one file to the main branch. @returns its id, if it is there now */
async function sendPack(
  world: World,
  repo: KnownRepo,
  file: NewFile,
  token: string,
): Promise<string | undefined> {
  const before = await askForMain(world, repo, 'git-receive-pack', token)
  if (before === undefined) return undefined
  const objects = commitOf(file, before, Math.floor(world.scheduler.now / 1000))
  const [{ id } = { id: '' }] = objects
  const command = line(`${before} ${id} ${main}\0report-status atomic`)
  const reply = await world.send(`${gitUrl(repo)}/git-receive-pack`, {
    method: 'POST',
    bytes: Buffer.concat([Buffer.from(`${command}0000`), packOf(objects)]),
    headers: { 'content-type': 'application/x-git-receive-pack-request' },
    token,
  })
  return reply.status === 200 && reply.text.includes(`ok ${main}`) ? id : undefined
}

async function pushByGit(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const path = world.random.pick(['a.txt', 'pushed/data.csv'])
  const text = `${path} ${world.random.int(1_000_000)}\n`.repeat(1 + world.random.int(20))
  await push(world, repo, { path, text }, sendPack)
}

/** Fetches the main branch, in which every confirmed commit must be with its file. */
async function clone(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const { epoch, commits } = world.facts
  const known = commits.filter((commit) => commit.repo === repo.path)
  const { token } = users.alice
  const tip = await askForMain(world, repo, 'git-upload-pack', token)
  if (tip === undefined) return
  const reply = await world.send(`${gitUrl(repo)}/git-upload-pack`, {
    method: 'POST',
    text: `${line(`want ${tip} ofs-delta\n`)}0000${line('done\n')}`,
    headers: { 'content-type': 'application/x-git-upload-pack-request' },
    token,
  })
  if (reply.status !== 200 || !world.facts.isSame(epoch) || repo.standing !== 'live') return
  const still = known.filter((commit) => world.facts.commits.includes(commit))
  const missing = findMissing(reply.bytes, still)
  if (missing !== undefined)
    world.fail('a clone has all confirmed commits', `${repo.path} at ${tip}: ${missing}`)
}

/** Unpacks the response to a fetch, and looks for commits in it. @returns what is wrong */
function findMissing(response: Buffer, commits: readonly Commit[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'simulated-clone-'))
  const git = (args: readonly string[], input?: Buffer | string) =>
    execFileSync('git', args, { cwd: folder, input, stdio: 'pipe', encoding: 'utf8' })
  try {
    git(['init', '-q', '--bare'])
    git(['unpack-objects', '-q', '--strict'], response.subarray(response.indexOf('PACK')))
    const wanted = commits.map(({ oid, path }) => `${oid}:${path}\n`).join('')
    const found = git(['cat-file', '--batch-check=%(objecttype)'], wanted).split('\n')
    const at = commits.findIndex((_, index) => found[index] !== 'blob')
    return at < 0 ? undefined : `${commits[at]?.oid} has no ${commits[at]?.path}: ${found[at]}`
  } catch (error) {
    return String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const gitSteps: Steps = {
  'push by git': { weight: 3, run: pushByGit },
  'clone by git': { weight: 1, run: clone },
}
