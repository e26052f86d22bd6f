import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasProgram, run } from '../helpers/programs.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const large = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
const token = 'hf_sandbox_alice'
const repo = 'alice/private-downloads'

const names = { plain: 'plain file.txt', large: 'large.bin' }

/** A private repo with a plain and a large file, and a folder to download them to. */
async function prepare() {
  const sandbox = await startTestSandbox()
  const post = (path: string, body: string, type = 'application/json') =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
    })
  await post('/api/repos/create', JSON.stringify({ name: 'private-downloads', private: true }))
  const content = { oid: createHash('sha256').update(large).digest('hex'), size: large.length }
  const asked = JSON.stringify({ operation: 'upload', objects: [content] })
  const batch = await post(`/${repo}.git/info/lfs/objects/batch`, asked)
  const { objects } = (await batch.json()) as {
    objects: { actions: { upload: { href: string } } }[]
  }
  await fetch(objects[0]!.actions.upload.href, { method: 'PUT', body: new Uint8Array(large) })
  const lines = [
    { key: 'header', value: { summary: 'Files' } },
    { key: 'file', value: { path: `dir/${names.plain}`, content: 'plain' } },
    { key: 'lfsFile', value: { path: names.large, algo: 'sha256', ...content } },
  ]
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const committed = await post(`/api/models/${repo}/commit/main`, text, 'application/x-ndjson')
  expect(committed.status).toBe(200)
  const files = `${sandbox.url}/${repo}/resolve/main`
  return {
    folder: temporaryDirectory(),
    urls: [`${files}/dir/plain%20file.txt`, `${files}/large.bin`] as const,
  }
}

const header = `--header=Authorization: Bearer ${token}`
/** Arguments that make a program save a URL in the current folder, by the name that the server gives the file. */
const clients = [
  ['curl', 'a bearer token', '-fsSLOJ', '-H', `Authorization: Bearer ${token}`],
  ['wget', 'a bearer token', '-q', '--content-disposition', header],
  ['aria2c', 'a bearer token', '-q', '-x4', '-s4', '-k1M', header],
  ['curl', 'the token as password', '-fsSLOJ', '-u', `anyone:${token}`],
  [
    'wget',
    'the token as password',
    '-q',
    '--content-disposition',
    '--auth-no-challenge',
    '--user=anyone',
    `--password=${token}`,
  ],
  ['aria2c', 'the token as password', '-q', '--http-user=anyone', `--http-passwd=${token}`],
] as const

describe('a private file, plain or large, is downloaded', () => {
  for (const [program, way, ...options] of clients) {
    test(`by ${program} with ${way}`, async ({ skip }) => {
      skip(!hasProgram(program), `${program} is not installed`)
      const { folder, urls } = await prepare()
      for (const url of urls) await run(program, [...options, url], {}, folder)
      const [plain, whole] = [names.plain, names.large].map((name) =>
        readFileSync(join(folder, name)),
      )
      expect(plain?.toString()).toBe('plain')
      expect(whole?.equals(large)).toBe(true)
    })
  }

  test('without following a redirect, if it is plain', async ({ skip }) => {
    skip(!hasProgram('curl'), 'curl is not installed')
    const { folder, urls } = await prepare()
    const texts = await Promise.all(
      urls.map(async (url) =>
        run('curl', ['-fsS', '-H', `Authorization: Bearer ${token}`, url], {}, folder),
      ),
    )
    expect(texts).toEqual(['plain', expect.stringMatching(/^Found\. Redirecting to /)])
  })
})
