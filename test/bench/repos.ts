import type { Child } from './children.ts'
import { userToken } from './fixtures.ts'
import { drive } from './load.ts'

const connections = 4

/** Dataset of the bench. */
export const dataset = {
  commit: '/api/datasets/acme/corpus/commit/main',
  files: '/datasets/acme/corpus',
  git: '/datasets/acme/corpus.git',
}

/** Commits one file. */
export async function commitFile({ url }: Child, path: string, content: Buffer): Promise<void> {
  const lines = [
    { key: 'header', value: { summary: 'Add a file' } },
    { key: 'file', value: { path, content: content.toString('base64'), encoding: 'base64' } },
  ]
  const response = await fetch(url + dataset.commit, {
    method: 'POST',
    headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  if (!response.ok)
    throw new Error(`${dataset.commit}: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

/** Adds commits, each of which changes one of ten files. */
export async function addCommits(sandbox: Child, count: number): Promise<void> {
  const input = { path: dataset.commit, headers: [`Authorization: Bearer ${userToken}`] }
  await drive(sandbox.url, { scenario: 'commit', input }, count, connections)
}
