import { lfsMediaType } from '../../../server/contract/hub-lfs.ts'
import { users } from '../world/fixtures.ts'
import { origin } from '../world/machine.ts'
import { type Content, makeShard, makeXorb, type Place, readChunks } from '../world/xet-contents.ts'
import type { Reply, Sent, World } from '../world/world.ts'

// A client of the Xet storage, which remembers what the storage has under its URL.

const { token } = users.alice

/** Path of a repo: `models/acme/x`, or `buckets/acme/x`. */
type RepoPath = string

interface Storage {
  readonly path: string
  readonly token: string
}

/** Sends a request to a URL of a response. */
export function follow(world: World, href: string, sent?: Sent): Promise<Reply> {
  const { pathname, search } = new URL(href, origin)
  return world.send(pathname + search, sent)
}

async function openStorage(
  world: World,
  repo: RepoPath,
  right: 'read' | 'write',
  revision = 'main',
): Promise<Storage | undefined> {
  const rest = repo.startsWith('buckets/') ? '' : `/${revision}`
  const reply = await world.send(`/api/${repo}/xet-${right}-token${rest}`, { token })
  if (reply.status !== 200) return undefined
  const { casUrl, accessToken } = reply.json() as { casUrl: string; accessToken: string }
  return { path: new URL(casUrl).pathname, token: accessToken }
}

/**
 * Uploads a content, of which it sends the chunks that the storage lacks.
 * @returns whether the storage has confirmed it
 */
export async function uploadByXet(
  world: World,
  repo: RepoPath,
  content: Content,
): Promise<boolean> {
  const storage = await openStorage(world, repo, 'write')
  if (storage === undefined) return false
  const { epoch, xet, clockMoves } = world.facts
  const { starts } = world
  const known = xet.at(storage.path)
  // Now and then another client sends it, who knows nothing.
  const isForeign = world.random.chance(0.3)
  const isKnown = (piece: number) => known.has(piece) && !isForeign
  const places = new Map(known)
  const lacking = [...new Set(content.pieces.filter((piece) => !isKnown(piece)))]
  if (lacking.length > 0) {
    const { hash, body } = makeXorb(lacking)
    const sent = await send(world, storage, `/v1/xorbs/default/${hash}`, body)
    if (sent.status !== 200) return false
    for (const [index, piece] of lacking.entries()) places.set(piece, { xorb: hash, index })
  }
  const placeOf = (piece: number) => places.get(piece) as Place
  const shard = makeShard(content, placeOf, !repo.startsWith('buckets/'))
  const { status, text } = await send(world, storage, '/v1/shards', shard)
  if (status === 200) {
    for (const piece of content.pieces) xet.at(storage.path).set(piece, placeOf(piece))
    return true
  }
  if (status !== 400 || !world.facts.isSame(epoch) || clockMoves !== world.facts.clockMoves)
    return false
  const again = await openStorage(world, repo, 'write')
  if (again?.path === storage.path && world.facts.isSame(epoch) && world.starts === starts)
    world.fail('the Xet storage has what it has confirmed under its URL', `${status} ${text}`)
  return false
}

const send = (world: World, storage: Storage, path: string, bytes: Buffer) =>
  world.send(storage.path + path, { method: 'POST', bytes, token: storage.token })

/** Description of the chunks of a file. */
interface Reconstruction {
  readonly offset_into_first_range: number
  readonly terms: readonly { readonly hash: string; readonly range: Range }[]
  readonly fetch_info: Readonly<Record<string, readonly Fetched[]>>
}
interface Range {
  readonly start: number
  readonly end: number
}
interface Fetched {
  readonly range: Range
  readonly url: string
  readonly url_range: Range
}

/**
 * Reads a file chunk by chunk.
 * @param hash of its chunks
 * @returns status of the first response that is not a success, or 200 with the content
 */
export async function readByXet(
  world: World,
  repo: RepoPath,
  hash: string,
  revision?: string,
): Promise<{ status: number; text: string }> {
  const storage = await openStorage(world, repo, 'read', revision)
  if (storage === undefined) return { status: 0, text: 'no token' }
  const reply = await world.send(`${storage.path}/v1/reconstructions/${hash}`, {
    token: storage.token,
  })
  if (reply.status !== 200) return reply
  const { terms, fetch_info: places } = reply.json() as Reconstruction
  const chunks = new Map<string, Buffer>()
  for (const [xorb, parts] of Object.entries(places)) {
    for (const { range, url, url_range: bytes } of parts) {
      const part = await follow(world, url, {
        headers: { range: `bytes=${bytes.start}-${bytes.end}` },
      })
      if (part.status !== 206 && part.status !== 200) return part
      for (const [index, chunk] of readChunks(part.bytes).entries()) {
        chunks.set(`${xorb} ${range.start + index}`, chunk)
      }
    }
  }
  const found = terms.flatMap(({ hash: xorb, range: { start, end } }) =>
    Array.from({ length: end - start }, (_, index) => chunks.get(`${xorb} ${start + index}`)),
  )
  if (found.includes(undefined)) return { status: 200, text: 'a chunk is missing' }
  return { status: 200, text: Buffer.concat(found as Buffer[]).toString() }
}

/** Reads an object by Git LFS. */
export async function readByLfs(
  world: World,
  repo: RepoPath,
  object: { readonly oid: string; readonly size: number },
): Promise<{ status: number; text: string }> {
  const batch = await world.send(`/${repo.replace('models/', '')}.git/info/lfs/objects/batch`, {
    method: 'POST',
    json: { operation: 'download', transfers: ['basic'], objects: [object] },
    token,
    headers: { 'content-type': lfsMediaType },
  })
  if (batch.status !== 200) return batch
  type Found = { readonly actions?: { readonly download?: { readonly href: string } } }
  const [found] = (batch.json() as { objects: Found[] }).objects
  const href = found?.actions?.download?.href
  return href === undefined ? { status: 0, text: batch.text } : follow(world, href)
}
