import { connectSandbox } from '../../server/index.ts'
import { startAuditedApp } from '../helpers/audited-app.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Command } from 'commander'
import type { ControlResponse, ControlArguments } from '../../server/contract/control-call.ts'
import type { ControlKey } from '../../server/contract/control-call.ts'
import { controlRequest } from '../../server/contract/control-request.ts'
import { createProgram } from '../../server/cli/program.ts'
import { type Example, examplesOf } from '../../server/cli/program/define.ts'
import { commandLineWorld, cliCommand } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'
import { hasProgram } from '../helpers/programs.ts'
import { startShownReceiver } from '../helpers/receivers.ts'
import { controlAt } from '../helpers/sandbox.ts'
import { callerAt } from '../helpers/cast.ts'

const { execute, folder, start } = commandLineWorld()
const patience = 180_000

function leavesOf(command: Command, path: readonly string[] = []): [string, Command][] {
  return command.commands.length > 0
    ? command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]))
    : [[path.join(' '), command]]
}

interface Shown extends Example {
  path: string
  hasJson: boolean
}

const shown: Shown[] = leavesOf(createProgram()).flatMap(([path, command]) =>
  examplesOf(command).map((example) => ({
    ...example,
    path,
    hasJson: command.options.some(({ long }) => long === '--json'),
  })),
)
const ending = shown.filter(({ endless }) => endless !== true)
const endless = shown.filter((example) => example.endless === true)
/** One call of each command in its default output format. */
const plain = [
  ...new Map(
    ending
      .filter(({ hasJson }) => hasJson)
      .filter(
        ({ line }) => /^hub-sandbox [^|&>$(]*$/.test(line) && !/--(json|for|dotenv)/.test(line),
      )
      .map((example) => [example.path, example]),
  ).values(),
]

let url = ''
let env: Record<string, string> = {}
/** Response of every receiver. */
let receiverStatus = 200
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(receiverStatus).end())
})

/** A receiver without mistakes, for the audits. */
let audited: Awaited<ReturnType<typeof startShownReceiver>>
let auditedApp: Awaited<ReturnType<typeof startAuditedApp>>

async function call<K extends ControlKey>(
  key: K,
  ...input: ControlArguments<K>
): Promise<ControlResponse<K>> {
  const { method, path, body } = controlRequest(key, ...input)
  const answer = await controlAt(url).send(method as 'GET', path, body as object | undefined)
  if (answer.status >= 400) throw new Error(`${key}: ${JSON.stringify(answer.body)}`)
  return answer.body as ControlResponse<K>
}

const token = (body: Record<string, string>) =>
  fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })
const whoami = (accessToken: string) =>
  fetch(`${url}/api/whoami-v2`, { headers: { authorization: `Bearer ${accessToken}` } })

beforeAll(async () => {
  const bin = join(folder(), 'bin')
  mkdirSync(bin)
  const words = cliCommand.map((word) => `'${word}'`).join(' ')
  const install = (name: string, line: string) =>
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${line}\n`, { mode: 0o755 })
  install('hub-sandbox', `exec ${words} "$@"`)
  // Programs of users. They send a request, but under --intercept, where the URL is that of the real Hub.
  for (const name of ['npm', 'pytest', 'go', 'hf']) {
    install(
      name,
      `[[ $HUB_SANDBOX_URL == http://localhost:* && -n $HF_ENDPOINT ]] || exit 1
[[ $HF_ENDPOINT != http://localhost:* ]] || curl --fail --silent --output /dev/null "$HF_ENDPOINT/api/models"`,
    )
  }
  url = (await start(['--ephemeral'])).sandbox.url
  audited = await startShownReceiver()
  const sandbox = await connectSandbox(url)
  auditedApp = await startAuditedApp(sandbox)
  await sandbox.close()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  env = {
    PATH: `${bin}${delimiter}${process.env['PATH']}`,
    HUB_SANDBOX_URL: url,
    HF_ENDPOINT: url,
    GITHUB_STEP_SUMMARY: join(folder(), 'summary.md'),
    LOGIN_URL: await loginUrl(),
    HUB_OPENAPI: `${url}/_sandbox/openapi.json`,
    HUB_URL: url,
    HF_TOKEN: 'hf_sandbox_alice',
    RECEIVER: audited.url,
    APP: auditedApp.clientId,
    APP_URL: new URL(auditedApp.start).origin,
  }
}, patience)
afterAll(async () => {
  receiver.close()
  await audited.close()
  auditedApp.close()
})

/** Redirect URI of the app. */
async function loginUrl(): Promise<string> {
  const { apps } = await call('GET fixtures')
  const app = apps.find(({ clientSecret, redirectUris: [first] }) => !clientSecret && first)
  const request = new URLSearchParams({
    client_id: app?.clientId ?? '',
    redirect_uri: app?.redirectUris[0] ?? '',
    response_type: 'code',
    state: 'its own',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  })
  return `${url}/oauth/authorize?${request}`
}

/** A sandbox in which each command has something to do, and in which nothing is bent or has its names. */
async function prepare(path: string): Promise<void> {
  for (const { name } of (await call('GET snapshots')).items) {
    await call('DELETE snapshots/:name', { params: { name } })
  }
  await call('DELETE faults')
  for (const { id } of (await call('GET webhooks')).items) {
    await call('PATCH webhooks/:id', { params: { id }, body: { actsAs: null } })
  }
  if (path === 'experiment verdict') {
    const body = { play: true }
    await call('POST experiments/:id/run', { params: { id: 'nonce' }, body })
    await vi.waitFor(
      async () => {
        const state = (await call('GET experiments')).items[0]?.verdict?.state
        if (state !== 'passed') throw new Error(`the experiment is ${state}`)
      },
      { timeout: 15_000 },
    )
  }
  for (const { id } of (await call('GET barriers')).items) {
    await call('POST barriers/:id/release', { params: { id } })
  }
  await call('POST clock', { body: { frozen: false } })
  const { apps } = await call('GET fixtures')
  const publicApp = apps.find(({ clientSecret }) => clientSecret === undefined)
  await fetch(`${url}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: publicApp?.clientId ?? '', scope: 'openid' }),
  })
  // An audit of an app refuses to start beside them.
  if (path !== 'audit app') {
    await call('POST faults', { body: { match: { route: '/nowhere' }, status: 418 } })
    await call('POST barriers', { body: { match: { route: '/nowhere' }, count: 1 } })
  }
  if (path.startsWith('snapshot')) await call('POST snapshots', { body: {} })
  // What its own help says to import.
  if (path === 'snapshot import')
    await execute('bash', ['-ec', 'hub-sandbox snapshot export > now.hubsandbox'], env).ended
  writeFileSync(join(folder(), 'payload.json'), '{ "hello": "there" }')
  await call('POST tokens', { body: { user: 'bob' } })
  await deliver(path === 'deliveries cancel' ? 500 : 200)
  if (path === 'deliveries release') await loop()
  // HF_ENDPOINT is the sandbox, which plays the Hub.
  if (path === 'pull')
    await execute('bash', ['-ec', 'hub-sandbox pull datasets/acme/corpus'], env).ended
}

/** Has the owner of a webhook act after each delivery, until one is held. */
async function loop(): Promise<void> {
  const [webhook] = (await call('GET webhooks')).items
  await call('PATCH webhooks/:id', { params: { id: webhook?.id ?? '' }, body: { actsAs: 'alice' } })
  await vi.waitFor(
    async () => {
      const discussion = { title: 'Again', description: 'And again' }
      const discussions = '/api/datasets/acme/corpus/discussions'
      await callerAt({ url }, 'hf_sandbox_alice').post(discussions, discussion)
      await call('GET idle')
      const { items } = await call('GET deliveries', { query: { limit: 1 } })
      if (items[0]?.state !== 'held') throw new Error('no delivery is held yet')
    },
    { timeout: 15_000, interval: 10 },
  )
}

/** Has a delivery made that is received, or waits for a retry. */
async function deliver(status: number): Promise<void> {
  receiverStatus = status
  const { items } = await call('GET webhooks')
  if (items.length === 0) {
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const watched = [{ type: 'org' as const, name: 'acme' }]
    await call('POST webhooks', { body: { user: 'alice', url: target, watched } })
  }
  await call('POST events', { body: { event: 'repo.content', repo: 'acme/corpus' } })
  const state = status === 200 ? 'succeeded' : 'waiting'
  await expect
    .poll(async () => (await call('GET deliveries', { query: { limit: 1 } })).items[0]?.state, {
      timeout: 30_000,
    })
    .toBe(state)
}

const refresh = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'nobody' }

/** Whether what the help says of a line came true. */
const cameTrue: Readonly<Record<string, (stdout: string) => Promise<void>>> = {
  'curl -H "Authorization: Bearer $(hub-sandbox token --user bob)" "$HF_ENDPOINT/api/whoami-v2"':
    async (stdout) => expect(JSON.parse(stdout)).toMatchObject({ name: 'bob' }),
  'hub-sandbox authorize "$LOGIN_URL" --user bob': async (stdout) => {
    const back = new URL(stdout.trim()).searchParams
    expect([back.has('code'), back.get('state')]).toEqual([true, 'its own'])
  },
  'hub-sandbox authorize "$LOGIN_URL" --deny': async (stdout) => {
    expect(new URL(stdout.trim()).searchParams.get('error')).toBe('access_denied')
  },
  'hub-sandbox fault add --route /oauth/token --status 503 --times 1': async () => {
    expect((await token(refresh)).status).toBe(503)
    expect((await token(refresh)).status).not.toBe(503)
  },
  "hub-sandbox fault add --route '/api/*' --status 429 --header Retry-After=5 --times 1":
    async () => {
      const answer = await whoami('hf_sandbox_alice')
      expect(answer.status).toBe(429)
      expect(answer.headers.get('retry-after')).toBe('5')
    },
  'hub-sandbox fault add --route /oauth/token --id-token-kid gone --id-token-claim aud=another-app':
    async () => {
      const [rule] = (await call('GET faults')).items.toReversed()
      expect(rule).toMatchObject({ idToken: { kid: 'gone', claims: { aud: 'another-app' } } })
    },
  "hub-sandbox fault add --client 'Team Dashboard' --flow next --id-token-sign none": async () => {
    const [rule] = (await call('GET faults')).items.toReversed()
    expect(rule).toMatchObject({ match: { flow: 'next' }, idToken: { sign: 'none' } })
  },
  'hub-sandbox barrier add --route /oauth/token --grant-type refresh_token --count 2': async () => {
    const waiting = [token(refresh), token(refresh)]
    const held = async () => (await call('GET barriers')).items.at(-1)?.held.length
    await expect.poll(held, { timeout: 30_000 }).toBe(2)
    const { items } = await call('GET barriers')
    await call('POST barriers/:id/release', { params: { id: items.at(-1)?.id ?? '' } })
    await Promise.all(waiting)
  },
  'hub-sandbox device approve latest --user bob': async () => {
    const [device] = (await call('GET device')).items
    expect(device).toMatchObject({ status: 'approved', user: { username: 'bob' } })
  },
  'hub-sandbox device deny latest --user bob': async () => {
    expect((await call('GET device')).items[0]?.status).toBe('denied')
  },
  'hub-sandbox keys rotate': async () => {
    expect((await call('GET keys')).items.length).toBeGreaterThan(1)
  },
  'hub-sandbox keys rotate --drop-old': async () => {
    expect((await call('GET keys')).items).toHaveLength(1)
  },
  'hub-sandbox tokens revoke hf_sandbox_dave': async () => {
    expect((await whoami('hf_sandbox_dave')).status).toBe(401)
  },
  "hub-sandbox tokens mint --user bob --role read --name 'laptop'": async (stdout) => {
    expect(await (await whoami(stdout.trim())).json()).toMatchObject({ name: 'bob' })
  },
  'hub-sandbox deliveries replay latest': async () => {
    const [newest] = (await call('GET deliveries')).items
    expect(newest?.attempts).toHaveLength(2)
  },
  'hub-sandbox deliveries replay latest --payload payload.json': async () => {
    const [newest] = (await call('GET deliveries')).items
    expect(newest).toMatchObject({ payload: { hello: 'there' }, state: 'succeeded' })
  },
  'hub-sandbox deliveries cancel latest': async () => {
    expect((await call('GET deliveries')).items[0]?.state).toBe('cancelled')
  },
  'hub-sandbox clock preview 8h': async () => {
    // The example of `clock advance` came before; a preview that moves the clock would make it 16 h.
    expect((await call('GET clock')).offsetMs).toBeLessThan(9 * 3_600_000)
  },
  'hub-sandbox clock advance 8h': async () => {
    const { offsetMs } = await call('GET clock')
    expect(offsetMs).toBeGreaterThanOrEqual(8 * 3_600_000)
  },
  'hub-sandbox clock freeze': async () => {
    expect((await call('GET clock')).frozen).toBe(true)
  },
  'hub-sandbox snapshot import now.hubsandbox --name theirs': async () => {
    await call('POST snapshots/:name/restore', { params: { name: 'theirs' } })
  },
  'hub-sandbox fault remove latest': async () => {
    expect((await call('GET faults')).items).toEqual([])
  },
}

const isThere = hasProgram('bash') && hasProgram('curl')

describe.skipIf(!isThere)('an example of the help', { timeout: patience }, () => {
  test('each closely checked example exists', () => {
    const lines = shown.map(({ line }) => line)
    expect(Object.keys(cameTrue).filter((line) => !lines.includes(line))).toEqual([])
  })

  test.each(ending)('$path: runs as printed: $line', async ({ path, line }) => {
    await prepare(path)
    const { code, stdout, stderr } = await execute('bash', ['-ec', line], await envFor(path)).ended
    expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' })
    await cameTrue[line]?.(stdout)
  })

  test.each(plain)('$path: prints only JSON with --json: $line', async (example) => {
    const { path, line } = example
    await prepare(path)
    const command = `${line} --json`
    const { code, stdout, stderr } = await execute('bash', ['-ec', command], await envFor(path))
      .ended
    expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' })
    expect(() => void JSON.parse(stdout)).not.toThrow()
  })

  test.each(endless)('$path: runs until Ctrl-C: $line', async ({ line }) => {
    writeFileSync(join(folder(), 'client.json'), '{ "client_name": "Client" }')
    const running = execute('bash', ['-c', `exec ${line}`], env)
    await Promise.any([
      printed(running, /./, 'stdout'),
      // The first line of a start comes before it listens.
      printed(running, /Ctrl-C|_sandbox\//),
    ])
    running.child.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' })
  })
})

/** Commands that stop a sandbox get one of their own. */
async function envFor(path: string): Promise<Record<string, string>> {
  return path === 'stop'
    ? { ...env, HUB_SANDBOX_URL: (await start(['--ephemeral'])).sandbox.url }
    : env
}
