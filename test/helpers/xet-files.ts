import { commit, createRepo, type RepoDesignation, uploadFile } from '@huggingface/hub'
import { type Caller, callerAt } from './cast.ts'

/** Bodies that the hub's JavaScript client sent to the Xet storage, an implementation other than ours. */
export interface SentByXet {
  /** Sends requests to the storage with the token of the client. */
  readonly storage: Caller
  readonly xorbs: readonly { readonly hash: string; readonly body: Buffer }[]
  readonly shard: Buffer
}

/** Bytes that look random, and are the same each time. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[index] = state >>> 24
  }
  return bytes
}

/** Uploads a file by Xet with the hub's JavaScript client, into a new repo if there is none. */
export async function uploadByXet(
  hubUrl: string,
  content: Uint8Array,
  {
    type = 'model',
    name = 'alice/chunks',
    path = 'w.bin',
    accessToken = 'hf_sandbox_alice',
    isNew = true,
  }: {
    type?: 'model' | 'dataset'
    name?: string
    path?: string
    accessToken?: string
    isNew?: boolean
  } = {},
): Promise<SentByXet> {
  const repo = { type, name }
  if (isNew) await createRepo({ repo, accessToken, hubUrl })
  const xorbs: SentByXet['xorbs'][number][] = []
  const sent = { casUrl: '', token: '', shard: Buffer.alloc(0) }
  await uploadFile({
    repo,
    accessToken,
    hubUrl,
    useXet: true,
    file: { path, content: new Blob([Uint8Array.from(content)]) },
    async fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : input)
      const found = /^(.*\/api\/xet\/\w+)\/v1\/(?:xorbs\/default\/(\w+)|shards)$/.exec(url.href)
      if (found !== null) {
        const [, casUrl = '', hash] = found
        const body = Buffer.from(await new Response(init?.body ?? null).arrayBuffer())
        Object.assign(sent, {
          casUrl,
          token: new Headers(init?.headers).get('authorization')?.slice('Bearer '.length),
        })
        if (hash === undefined) sent.shard = body
        else xorbs.push({ hash, body })
        return fetch(url, { ...init, body })
      }
      return fetch(input, init)
    },
  })
  return { storage: callerAt({ url: sent.casUrl }, sent.token), shard: sent.shard, xorbs }
}

/** Returns a caller of the Xet storage whose token a user got for a repo. */
export async function storageOf(
  user: Caller,
  name: string,
  right: 'read' | 'write' = 'write',
): Promise<Caller> {
  const path = `/api/models/${name}/xet-${right}-token/main`
  const { casUrl, accessToken } = (await user.get<{ casUrl: string; accessToken: string }>(path))
    .body
  return callerAt({ url: casUrl }, accessToken)
}

/** Returns the hash of a file's chunks. @param path the path of its download */
export async function xetHashAt(user: Caller, path: string): Promise<string> {
  return String((await user.get(path)).headers['x-xet-hash'])
}

/** Commits files with the hub's JavaScript client. */
export async function commitFilesByClient(
  hubUrl: string,
  repo: RepoDesignation,
  files: Record<string, Uint8Array | string>,
): Promise<void> {
  await commit({
    repo,
    accessToken: 'hf_sandbox_alice',
    hubUrl,
    title: 'Add files',
    operations: Object.entries(files).map(([path, content]) => ({
      operation: 'addOrUpdate' as const,
      path,
      content: new Blob([typeof content === 'string' ? content : Uint8Array.from(content)]),
    })),
  })
}
