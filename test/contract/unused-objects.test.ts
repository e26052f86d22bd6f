import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const authorization = 'Bearer hf_sandbox_alice'
const repo = 'datasets/acme/corpus'

function askAt(url: string) {
  return async (path: string, init: { method?: string; body?: string; type?: string } = {}) => {
    const {
      method = init.body === undefined ? 'GET' : 'POST',
      body,
      type = 'application/json',
    } = init
    return fetch(`${url}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    })
  }
}

const linesOf = (path: string, content: string) =>
  [
    { key: 'header', value: { summary: 'Add' } },
    { key: 'file', value: { path, content } },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')

test('a later start removes objects that nothing reaches, which no user notices', async () => {
  const data = temporaryDirectory()
  const start = () => startSandbox({ data, ephemeral: false, port: 0 })
  const commit = async (ask: ReturnType<typeof askAt>, branch: string, path: string) => {
    const type = 'application/x-ndjson'
    const answer = await ask(`/api/${repo}/commit/${branch}`, { body: linesOf(path, path), type })
    return ((await answer.json()) as { commitOid: string }).commitOid
  }
  const first = await start()
  let ask = askAt(first.url)
  expect((await ask(`/api/${repo}/branch/gone`, { body: '{}' })).status).toBe(200)
  expect((await ask(`/api/${repo}/branch/kept`, { body: '{}' })).status).toBe(200)
  const gone = await commit(ask, 'gone', 'gone.txt')
  const kept = await commit(ask, 'kept', 'kept.txt')
  await first.snapshot('with-both')
  await ask(`/api/${repo}/branch/kept`, { method: 'DELETE' })
  const later = await commit(ask, 'gone', 'later.txt')
  await ask(`/api/${repo}/branch/gone`, { method: 'DELETE' })
  const now = await commit(ask, 'main', 'now.txt')
  /** View of each repo for a user. */
  const statuses = async () => {
    const seen: number[] = []
    for (const id of [gone, kept, later, now])
      seen.push((await ask(`/${repo}/resolve/${id}/README.md`)).status)
    return seen
  }
  const before = await statuses()
  expect(before).toEqual([404, 404, 404, 200])
  await first.close()
  const repos = join(data, 'repos')
  const earlier = new Date(Date.now() - 60_000)
  for (const file of readdirSync(repos, { recursive: true, encoding: 'utf8' }))
    if (!file.endsWith('config')) utimesSync(join(repos, file), earlier, earlier)

  const folders = readdirSync(repos).filter((name) => name.endsWith('.git'))
  const folder = folders.map((name) => join(repos, name)).find((each) => has(each, now)) ?? ''
  expect([gone, kept, later, now].map((id) => has(folder, id))).toEqual([true, true, true, true])
  const second = await start()
  ask = askAt(second.url)
  expect(await statuses()).toEqual(before)
  await vi.waitFor(() => expect(has(folder, later)).toBe(false), 30_000)
  expect(await statuses()).toEqual(before)
  // What the snapshot leads to is there.
  expect([gone, kept, now].map((id) => has(folder, id))).toEqual([true, true, true])
  await second.restore('with-both')
  expect((await ask(`/${repo}/resolve/kept/kept.txt`)).status).toBe(200)
  expect((await ask(`/${repo}/resolve/gone/gone.txt`)).status).toBe(200)
  await second.close()
  const git = spawnSync('git', ['fsck', '--full', '--strict', '--no-dangling'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect([git.status, git.stderr.replace(/^notice: .*\n/gm, '')]).toEqual([0, ''])
})

function has(folder: string, id: string): boolean {
  return existsSync(join(folder, 'objects', id.slice(0, 2), id.slice(2)))
}
