import type { ActiveOverrides } from '../../server/contract/control-overrides.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'
import { controlAt } from '../helpers/sandbox.ts'
import { openServer } from '../helpers/json-receiver.ts'

const { run, start } = commandLineWorld()
const patience = 60_000

let url = ''
let receiver: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  url = (await start(['--ephemeral'])).sandbox.url
  receiver = await openServer((request, response) => {
    request.resume().on('end', () => response.writeHead(request.url === '/down' ? 503 : 200).end())
  })
}, patience)
afterAll(() => receiver.close())

const ask = (...args: string[]) => run([...args, '--url', url]).ended

const post = async <T>(path: string, body: object) =>
  (await controlAt(url).post<T>(path, body)).body

const explorer = '0c8f2b5e-6d41-4f0a-9b67-2f1a8f3d7c10'

describe('an app is given by its name', { timeout: patience }, () => {
  test.each([
    ['fault', 'add', '--route', '/oauth/token', '--delay', '1ms'],
    ['barrier', 'add', '--route', '/oauth/userinfo'],
  ])('in %s %s', async (...args) => {
    const { stdout } = await ask(...args, '--client', 'Model Explorer', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ match: { clientId: explorer } })
    await ask('fault', 'clear')
  })

  test('for a new token', async () => {
    expect(await ask('token', '--client', 'Model Explorer')).toMatchObject({ code: 0 })
    const { stdout } = await ask('tokens', '--client', 'Model Explorer', '--json')
    expect(JSON.parse(stdout)).toMatchObject([{ app: { clientId: explorer } }])
  })

  test('with a suggestion for a near miss', async () => {
    for (const args of [['token'], ['env'], ['tokens'], ['fault', 'add', '--status', '503']]) {
      const { stderr } = await ask(...args, '--client', 'Model Explorr')
      expect(stderr).toContain('Model Explorr (did you mean "Model Explorer"?)')
    }
    await ask('fault', 'clear')
  })

  test('unless several apps have it', async () => {
    const twin = { name: 'Twin', redirectUris: ['http://localhost/callback'], scopes: ['openid'] }
    const { clientId } = await post<{ clientId: string }>('apps', twin)
    await post('apps', twin)
    const { code, stderr } = await ask('token', '--client', 'Twin')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(clientId) as string,
    })
    expect(await ask('token', '--client', clientId)).toMatchObject({ code: 0 })
  })
})

describe('the clock', { timeout: patience }, () => {
  test('returns to real time by a command that doctor names', async () => {
    await ask('clock', 'advance', '8h')
    expect((await ask('doctor')).stdout).toMatch(/8h ahead of real time.*\n.* clock real --url/)
    await ask('clock', 'freeze')
    expect((await ask('doctor')).stdout).toMatch(/clock is frozen.*\n.* clock real --url/)
    const { stdout } = await ask('clock', 'real', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ frozen: false, offsetMs: 0 })
  })
})

describe('an event', { timeout: patience }, () => {
  test('is known without a sandbox', async () => {
    const none = { HUB_SANDBOX_URL: 'http://127.0.0.1:9' }
    const { code, stdout } = await run(['trigger', '--list'], none).ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/^repo\.content .* --kind push \| /m)
    const completed = await run(['__complete', '--', 'trigger', 'repo.m'], none).ended
    expect(completed.stdout).toBe('repo.move\n')
  })

  test('is triggered with the result of each delivery, by the name of its webhook', async () => {
    const watched = [{ type: 'dataset', name: 'acme/corpus' }]
    const to = (path: string) => receiver.origin + path
    await post('webhooks', { owner: 'alice', name: 'ci', url: to('/up'), watched })
    await post('webhooks', { owner: 'alice', url: to('/down'), watched })
    const event = ['trigger', 'repo.content', '--repo', 'acme/corpus']
    const { stdout } = await ask(...event)
    expect(stdout).toMatch(/succeeded .* 200 in \d+ ms {2}to ci$/m)
    expect(stdout).toMatch(/ 503 in \d+ ms.* {2}to http:\/\/127\.0\.0\.1:\d+\/down$/m)
    const unwaited = await ask(...event, '--no-wait')
    expect(unwaited.stdout).not.toMatch(/ in \d+ ms/)
    const listed = (await ask('deliveries')).stdout
    expect(listed).toMatch(/ acme\/corpus {2}ci +1 × 200$/m)
    expect(listed).toMatch(/\/down {2}/)
    const [id = ''] = listed.split(' ')
    expect((await ask('deliveries', id)).stdout).toMatch(/ to (ci|http:\S+) /)
  })

  test('waits for the receivers that fail, until it is told to stop', async () => {
    const waiting = await ask('deliveries', 'when-back')
    expect(waiting.stdout).toMatch(/^\w{24} {2}http:.*\/down {2}waiting since 20.*Z$/m)
    expect(waiting.stdout.trim().split('\n')).toHaveLength(1)
    const stopped = await ask('deliveries', 'when-back', '--cancel')
    expect(stopped.stdout).toMatch(/\/down {2}not waiting$/m)
    const none = await ask('deliveries', 'when-back', '--cancel')
    expect(none.stderr + none.stdout).toContain('No webhook waits for its receiver.')
    const unknown = await ask('deliveries', 'when-back', 'cj')
    expect(unknown.stderr).toContain('Unknown webhook cj (did you mean "ci"?).')
  })
})

describe('a query', { timeout: patience }, () => {
  test('filters requests, sign-ins and deliveries', async () => {
    await fetch(`${url}/api/whoami-v2`, { headers: { authorization: 'Bearer hf_sandbox_alice' } })
    await fetch(`${url}/api/whoami-v2`)
    const items = async (...args: string[]) =>
      JSON.parse((await ask(...args, '--json')).stdout) as Record<string, unknown>[]
    expect(await items('requests', 'route:/api/whoami-v2', 'status:200')).toMatchObject([
      { user: { username: 'alice' } },
    ])
    expect(
      await items('requests', '--status', '401', 'route:/api/whoami-v2 -user:alice'),
    ).toHaveLength(1)
    expect(await items('flows', 'status:refused webhook')).toEqual([])
    const failing = await items('deliveries', 'status:503 kind:repo.*')
    expect(failing.length).toBeGreaterThan(0)
    expect(await items('deliveries', 'webhook:ci status:503')).toEqual([])
  })

  test('is refused with the position and the fix of each mistake', async () => {
    for (const list of ['requests', 'flows', 'deliveries']) {
      const { code, stderr } = await ask(list, 'user:alice stauts:4xx')
      expect(stderr).toContain('Unknown key "stauts:" at character 12 (did you mean "status"?)')
      expect(code).toBe(2)
    }
    expect(await ask('flows', 'status:refused', '--html')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--html requires the id of one sign-in') as string,
    })
  })
})

test('start --intercept --json prints the URL it listens at', { timeout: patience }, async () => {
  const { sandbox } = await start(['--ephemeral', '--intercept', 'https://huggingface.co'])
  expect(sandbox).toMatchObject({ url: 'https://huggingface.co' })
  const { localUrl } = sandbox as typeof sandbox & { localUrl: string }
  expect(await (await fetch(`${localUrl}/_sandbox/health`)).json()).toMatchObject({ status: 'ok' })
})

describe('experiments', { timeout: patience }, () => {
  test('end with an exit code that says whether the app passed', async () => {
    const listed = await ask('experiment')
    expect(listed.stdout).toMatch(/^nonce {2}/m)
    const passed = await ask('experiment', 'run', 'nonce', '--play')
    expect(passed).toMatchObject({ code: 0 })
    expect(passed.stdout).toMatch(/^passed {2}Your app refused it/m)
    expect(await ask('experiment', 'verdict', 'nonce')).toMatchObject({ code: 0 })
    expect(await ask('experiment', 'stop', 'nonce')).toMatchObject({ code: 0 })
    const none = await ask('experiment', 'verdict', 'nonce')
    expect(none).toMatchObject({ code: 1 })
    expect(none.stderr).toContain('Experiment nonce was not run.')
    const late = await ask('experiment', 'run', 'nonce', '--timeout', '1')
    expect(late.stderr).toContain('Experiment nonce is armed after 1 s, and was stopped.')
    const unknown = await ask('experiment', 'verdict', 'nonse')
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.stderr).toContain('Unknown experiment nonse. Use one of nonce, ')
  })

  /** Number of faults and barriers beside those of other tests. */
  async function armed() {
    const { faults, barriers } = (await controlAt(url).get<ActiveOverrides>('overrides')).body
    return faults.length + barriers.length - others
  }
  let others = 0
  beforeEach(async () => {
    others = 0
    others = await armed()
  })

  test.each(['nonce', 'registration', 'refresh-race'])(
    'leave nothing armed, however the run of %s ends',
    async (id) => {
      await ask('experiment', 'run', id, '--timeout', '1')
      expect(await armed()).toBe(0)
      for (const [signal, code] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
        ['SIGHUP', 129],
      ] as const) {
        const { child, ended } = run(['experiment', 'run', id, '--url', url])
        await expect.poll(armed, { timeout: patience }).toBeGreaterThan(0)
        child.kill(signal)
        expect((await ended).code).toBe(code)
        expect(await armed()).toBe(0)
      }
    },
  )

  test('are stopped by the sandbox when the program that follows them was killed', async () => {
    const { child } = run(['experiment', 'run', 'nonce', '--url', url])
    await expect.poll(armed, { timeout: patience }).toBe(1)
    const status = await ask('status')
    expect(status.stdout).toMatch(/^Experiments +nonce \(armed\)$/m)
    child.kill('SIGKILL')
    await expect.poll(armed, { timeout: 20_000 }).toBe(0)
  })
})
