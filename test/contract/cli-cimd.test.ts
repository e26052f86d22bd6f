import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'
import type { Running } from '../helpers/printed.ts'
import { controlAt } from '../helpers/sandbox.ts'

const { folder, run, start } = commandLineWorld()
const timeout = 180_000
vi.setConfig({ testTimeout: timeout })

const url = 'https://client.example/.well-known/oauth-cimd'
const valid = {
  client_id: url,
  client_name: 'Client',
  redirect_uris: ['http://localhost/callback'],
  token_endpoint_auth_method: 'none',
}

/** Writes the file as editors do: a new one takes its place. */
function save(file: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  writeFileSync(`${file}~`, text)
  renameSync(`${file}~`, file)
}

async function shows({ output }: Running, pattern: RegExp): Promise<void> {
  await expect.poll(output, { timeout: 60_000 }).toMatch(pattern)
}

test('a file is served, checked at each change, and no longer served after Ctrl-C', async () => {
  const { child, sandbox } = await start(['--ephemeral'])
  const served = async () => {
    const { body } = await controlAt(sandbox.url).get<{
      items: { url: string; document: { client_name: string } }[]
    }>('client-metadata-documents')
    return body.items.map((item) => [item.url, item.document.client_name])
  }
  const file = join(folder(), 'client.json')
  save(file, { ...valid, token_endpoint_auth_method: 'client_secret_basic' })
  const serving = run(['cimd', 'serve', file, '--url', sandbox.url])
  await shows(serving, /client\.json:7:3 {2}token_endpoint_auth_method is "client_secret_basic"/)
  await shows(serving, /Fix: Set "token_endpoint_auth_method" to "none"/)
  await shows(serving, /The Hub refuses this document: 1 problem\./)
  expect(await served()).toEqual([[url, 'Client']])

  save(file, { ...valid, client_name: 'Second' })
  await shows(serving, /The Hub accepts this document\./)
  expect(await served()).toEqual([[url, 'Second']])

  save(file, '{ "client_name": }')
  await shows(serving, /client\.json:1:18 {2}it is not valid JSON: expected a value/)
  await shows(serving, /still has the version before/)
  expect(await served()).toEqual([[url, 'Second']])

  rmSync(file)
  await shows(serving, /Cannot read .*client\.json: ENOENT/)
  save(file, 'x'.repeat(300_000))
  await shows(serving, /has 300000 bytes: the Hub reads at most 5 KB/)
  const moved = 'https://client.example/moved'
  save(file, { ...valid, client_id: moved })
  await shows(serving, /client_id https:\/\/client\.example\/moved/)
  await expect.poll(served).toEqual([[moved, 'Client']])

  serving.child.kill('SIGINT')
  expect(await serving.ended).toMatchObject({ code: 0 })
  expect(await served()).toEqual([])
  child.kill('SIGKILL')
})

test('the document that the URL had before is served again', async () => {
  const { child, sandbox } = await start(['--ephemeral'])
  const control = controlAt(sandbox.url)
  const document = { ...valid, client_name: 'Of the fixtures' }
  await control.post('client-metadata-documents', { url, document })
  const file = join(folder(), 'other.json')
  save(file, { ...valid, client_id: 'https://elsewhere.example/client' })
  const serving = run(['cimd', 'serve', file, '--at', url, '--json', '--url', sandbox.url])
  await shows(serving, /"problems":\[\{"line":2,"column":3,"member":"client_id"/)
  const path = `client-metadata-documents/${encodeURIComponent(url)}`
  expect((await control.get(path)).body).toMatchObject({ document: { client_name: 'Client' } })
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0 })
  expect((await control.get(path)).body).toMatchObject({ document })
  child.kill('SIGKILL')
})

test.each([
  ['missing.json', 2, /Cannot read .*missing\.json: ENOENT/],
  ['.', 2, /is not a file/],
  ['https://client.example/client', 2, /is a URL: name the file/],
])('%s is refused', async (name, code, message) => {
  const file = name.startsWith('https:') ? name : join(folder(), name)
  const ended = await run(['cimd', 'serve', file]).ended
  expect(ended).toMatchObject({ code, stderr: expect.stringMatching(message) })
})

test('without a sandbox, it says so', async () => {
  const file = join(folder(), 'alone.json')
  save(file, valid)
  const ended = await run(['cimd', 'serve', file, '--url', 'http://127.0.0.1:9']).ended
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/127\.0\.0\.1:9/) })
})
