import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  deliveryExamples,
  type Secrets,
} from '../../renderer/features/deliveries/model/snippets.ts'
import type { DeliveryItem } from '../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../server/contract/control-webhooks.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { installCached } from '../helpers/cached-install.ts'
import { freePort } from '../helpers/free-port.ts'
import { hasProgram, run } from '../helpers/programs.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const secret = 'it\'s $SECRET, and "more"'
/** The documented secret in a URL, among other parameters. */
const query = '?a=1%20+2&secret=it%27s%20$SECRET&b=%41'
const pythonPackages = ['fastapi==0.115.6', 'httpx==0.28.1']
/** Characters that break careless quoting. */
const title = 'It\'s "quoted", $HOME, `date`, 100 %\\n\n日本語'

interface Received {
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** Listens for calls, and keeps what came. */
async function listen() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      })
      response.end('{"processed":true}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/webhooks/events`, received }
}

/** A delivery as the dashboard has it when it shows its code, and the sandbox that sent it. */
async function deliver() {
  const receiver = await listen()
  const sandbox = await startSandbox({ port: 0 })
  onTestFinished(() => sandbox.close())
  const webhook = await sandbox.control<WebhookItem>('POST', 'webhooks', {
    user: 'alice',
    url: receiver.url.replace('//', '//user:p%40ss@') + query,
    watched: [{ type: 'org', name: 'acme' }],
    secret,
  })
  await sandbox.trigger({
    event: 'discussion.create',
    repo: 'datasets/acme/corpus',
    mode: 'send',
    overrides: { 'discussion.title': title },
  })
  await sandbox.idle()
  const { items } = await sandbox.control<{ items: DeliveryItem[] }>('GET', 'deliveries')
  const [delivery] = items
  if (delivery === undefined) throw new Error('Nothing was delivered')
  expect(receiver.received).toHaveLength(1)
  return { sandbox, delivery, receiver, webhook }
}

/** Code of a language for a delivery; `undefined` where there is none. */
function snippet(label: string, delivery: DeliveryItem, secrets: Secrets): string | undefined {
  const examples = deliveryExamples(delivery, delivery.attempts.at(-1), secrets)
  return examples.find((example) => example.label === label)?.render()
}

/** The code, written to a file as one would paste it, with another receiver in it than that on port 3000. */
function write(language: string, delivery: DeliveryItem, name: string, port: string) {
  const folder = temporaryDirectory()
  const code = snippet(language, delivery, { secret }) ?? ''
  writeFileSync(join(folder, name), code.replaceAll('3000', port))
  return { folder, code }
}

/** Output of a program so far. */
function outputOf(program: ChildProcess): () => string {
  let text = ''
  program.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}

async function replay(sandbox: Sandbox, { id }: DeliveryItem) {
  return sandbox.control<{ status?: number; outcome: string }>(
    'POST',
    `deliveries/${id}/replay`,
    {},
  )
}

describe('the code that is shown for a delivery', () => {
  test('curl repeats the very request, secret and all', async ({ skip }) => {
    skip(!hasProgram('curl'), 'curl is not installed')
    const { delivery, receiver, webhook } = await deliver()
    const answer = await run('sh', ['-c', `${snippet('curl', delivery, webhook)} --silent`])
    expect(JSON.parse(answer.split('\r\n\r\n').at(-1) ?? '')).toEqual({ processed: true })
    const [first, second] = receiver.received
    expect(JSON.parse(second?.body ?? '')).toEqual(JSON.parse(first?.body ?? ''))
    expect(JSON.parse(second?.body ?? '')).toMatchObject({ discussion: { title } })
    expect([first?.url, second?.url]).toEqual(Array(2).fill(`/webhooks/events${query}`))
    const credentials = ['authorization', 'x-webhook-secret']
    for (const name of ['content-type', 'webhook-id', 'user-agent', ...credentials]) {
      expect([name, second?.headers[name]]).toEqual([name, first?.headers[name]])
    }
    expect(second?.headers['x-webhook-secret']).toBe(secret)
    expect(second?.headers['authorization']).toMatch(/^Basic /)
  })

  test('the handler takes the delivery when it is sent again', async () => {
    const { sandbox, delivery } = await deliver()
    const port = String(await freePort())
    const { folder } = write('TypeScript', delivery, 'handler.ts', port)
    const installed = join(folder, 'node_modules/hub-sandbox')
    mkdirSync(installed, { recursive: true })
    const source = JSON.stringify(join(root, 'server/receiver/index.ts'))
    writeFileSync(join(installed, 'receiver.mjs'), `export * from ${source}\n`)
    writeFileSync(
      join(installed, 'package.json'),
      JSON.stringify({ name: 'hub-sandbox', exports: { './receiver': './receiver.mjs' } }),
    )
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const program = spawn(
      process.execPath,
      [join(root, 'node_modules/tsx/dist/cli.mjs'), 'handler.ts'],
      {
        cwd: folder,
        env: { ...process.env, WEBHOOK_SECRET: secret },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    onTestFinished(() => void program.kill())
    const output = outputOf(program)
    await expect.poll(output, { timeout: 20_000 }).toContain(port)

    const [webhook] = (await sandbox.control<{ items: { id: string }[] }>('GET', 'webhooks')).items
    await sandbox.control('PATCH', `webhooks/${webhook?.id}`, {
      url: `http://localhost:${port}/webhooks/events`,
    })
    expect(await replay(sandbox, delivery)).toMatchObject({ status: 200, outcome: 'succeeded' })
    await expect.poll(output).toContain('create acme/corpus')
  })

  test('the Vitest file sends the payload with its id, and passes', async () => {
    const { delivery, receiver } = await deliver()
    const { folder, code } = write(
      'Vitest',
      delivery,
      'delivery.test.ts',
      new URL(receiver.url).port,
    )
    expect(code).toContain('discussion create of acme/corpus')
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [vitest, 'run', '--root', folder, '--reporter=json'],
      { cwd: folder, env: { ...process.env, WEBHOOK_SECRET: secret }, timeout: 25_000 },
    )
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1 })
    const [first, second] = receiver.received
    expect(JSON.parse(second?.body ?? '')).toEqual(JSON.parse(first?.body ?? ''))
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.headers['x-webhook-secret']).toBe(secret)
  })

  test('the Python app takes the payload, and knows the event', async ({ skip }) => {
    skip(!hasProgram('python3', '-m', 'pip', '--version'), 'Python with pip is not installed')
    const installed = await installCached('fastapi', pythonPackages, (target) =>
      promisify(execFile)('python3', [
        '-m',
        'pip',
        'install',
        '-q',
        '-t',
        target,
        ...pythonPackages,
      ]),
    )
    skip(installed.obstacle !== undefined, installed.obstacle)
    const { delivery } = await deliver()
    const { folder } = write('Python', delivery, 'receiver.py', '3000')
    const payload = join(folder, 'payload.json')
    writeFileSync(payload, JSON.stringify(delivery.payload))
    const script = `
import json, sys
from fastapi.testclient import TestClient
from receiver import app
with open(sys.argv[1]) as file:
    payload = json.load(file)
client = TestClient(app)
print(client.post("/webhooks/events", json=payload).json())
payload["event"]["action"] = "delete"
print(client.post("/webhooks/events", json=payload).json())
`
    const output = await run('python3', ['-c', script, payload], {
      PYTHONPATH: `${installed.folder}:${folder}`,
      HOME: process.env['HOME'] ?? '',
    })
    // The name of the repo once: the other event is not that of the delivery.
    expect(output.trim().split('\n')).toEqual([
      'acme/corpus',
      "{'processed': True}",
      "{'processed': True}",
    ])
  }, 120_000)

  test('fetch repeats the very request, with the password of the URL', async () => {
    const { delivery, receiver, webhook } = await deliver()
    const code = snippet('fetch', delivery, webhook) ?? ''
    expect(await run('node', ['--input-type=module', '--eval', code])).toMatch(/^200 /)
    const [first, second] = receiver.received
    expect(JSON.parse(second?.body ?? '')).toEqual(JSON.parse(first?.body ?? ''))
    for (const name of ['authorization', 'content-type', 'webhook-id', 'x-webhook-secret']) {
      expect([name, second?.headers[name]]).toEqual([name, first?.headers[name]])
    }
  })

  test('before anything was sent, no command repeats it', async () => {
    const { delivery } = await deliver()
    expect(snippet('curl', { ...delivery, attempts: [] }, { secret })).toBeUndefined()
  })
})
