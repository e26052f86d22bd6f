import type { Child } from './children.ts'
import { userToken } from './fixtures.ts'
import { drive } from './load.ts'

export const authorization = `Authorization: Bearer ${userToken}`

const corpus = 'acme/corpus'
const connections = 4

/** Addresses of a dataset of acme. */
export function pathsOf(name = corpus) {
  const api = `/api/datasets/${name}`
  return {
    api,
    commit: `${api}/commit/main`,
    files: `/datasets/${name}`,
    git: `/datasets/${name}.git`,
  }
}

export type RepoPaths = ReturnType<typeof pathsOf>

/** A dataset without files. */
export async function createDataset(sandbox: Child, name: string): Promise<RepoPaths> {
  const body = JSON.stringify({ type: 'dataset', organization: 'acme', name })
  await ask(sandbox, '/api/repos/create', 'application/json', body)
  return pathsOf(`acme/${name}`)
}

/** All of them in one commit. @param files path to content */
export async function commitAtOnce(
  sandbox: Child,
  { commit }: RepoPaths,
  files: Iterable<readonly [path: string, content: Buffer]>,
): Promise<void> {
  await ask(sandbox, commit, 'application/x-ndjson', commitBody(files))
}

/** A commit as clients send it, a file a line. */
export function commitBody(files: Iterable<readonly [path: string, content: Buffer]>): string {
  const lines: object[] = [{ key: 'header', value: { summary: 'Add files' } }]
  for (const [path, content] of files) {
    lines.push({
      key: 'file',
      value: { path, content: content.toString('base64'), encoding: 'base64' },
    })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/**
 * Adds commits, each with another content of one of ten files.
 * @param first the number of the first one: with another there are other contents
 * @returns milliseconds
 */
export async function addCommits(
  sandbox: Child,
  { commit }: RepoPaths,
  { first, count }: { first: number; count: number },
): Promise<number> {
  const input = { path: commit, headers: [authorization], first }
  const { elapsedMs } = await drive(sandbox.url, { scenario: 'commit', input }, count, connections)
  return elapsedMs
}

/** Makes one commit of all, and nothing leads to the others any more. */
export async function squash(sandbox: Child, { api }: RepoPaths): Promise<void> {
  await ask(sandbox, `${api}/super-squash/main`, 'application/json', '{}')
}

async function ask({ url }: Child, path: string, type: string, body: string): Promise<void> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${userToken}`, 'content-type': type },
    body,
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}
