import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowText } from '../../server/contract/control-flows.ts'
import type { FlowList } from '../../server/contract/control-requests.ts'
import { compile } from '../helpers/compile.ts'
import { type ControlWorld, controlWorld } from '../helpers/control.ts'
import { root } from '../helpers/packed.ts'
import { encodeEverything, playFlows } from '../helpers/played-flows.ts'
import { bareEnvironment } from '../helpers/programs.ts'

const world = controlWorld()
const { call, hub } = world
const play = playFlows(world)
const approving = controlWorld({ autoApprove: 'bob' })

/** The built package where there is one, else its sources. */
const built = join(root, 'dist/library/index.cjs')
const library = existsSync(built) ? built : join(root, 'server/index.ts')

const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-flow-tests-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Ran {
  passed: boolean
  output: string
}

/** Runs all files of a folder by a vitest of its own, each against a sandbox that `change` may have changed. */
function runTests(
  name: string,
  files: ReadonlyMap<string, string>,
  change = '',
): Promise<Map<string, Ran>> {
  const place = mkdtempSync(join(folder, `${name}-`))
  for (const [file, text] of files) writeFileSync(join(place, `${file}.test.ts`), text)
  const entry = join(place, 'changed-library.ts')
  writeFileSync(
    entry,
    `import { startSandbox as start } from ${JSON.stringify(pathToFileURL(library).href)}
export async function startSandbox(options: object) {
  const sandbox = await start(options)
  ${change}
  return sandbox
}`,
  )
  const config = join(place, 'vitest.config.mjs')
  const vitest = pathToFileURL(join(root, 'node_modules/vitest/dist/index.js')).href
  writeFileSync(
    config,
    `export default ${JSON.stringify({
      resolve: { alias: { 'hub-sandbox': entry, vitest: new URL(vitest).pathname } },
      server: { fs: { strict: false } },
      // One process, which reads the library once.
      test: { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 1, isolate: false },
    })}`,
  )
  const report = join(place, 'report.json')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--root',
        place,
        '--config',
        config,
        '--reporter=json',
        `--outputFile=${report}`,
      ],
      { cwd: root, env: bareEnvironment({ CI: '1' }) },
      (_error, stdout, stderr) => resolve(readReport(report, `${stdout}${stderr}`)),
    )
  })
}

function readReport(report: string, output: string): Map<string, Ran> {
  if (!existsSync(report)) throw new Error(output)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: {
      name: string
      status: string
      message: string
      assertionResults: { failureMessages?: string[] }[]
    }[]
  }
  return new Map(
    testResults.map(({ name, status, message, assertionResults }) => [
      name.replace(/^.*\/|\.test\.ts$/g, ''),
      {
        passed: status === 'passed' && assertionResults.length > 0,
        output: [message, ...assertionResults.flatMap((it) => it.failureMessages ?? [])].join('\n'),
      },
    ]),
  )
}

const hostile = `'); process.exit(0) //\u2028*/ \${1} \\`

/** Flows by name, each played on a sandbox of its own and told from it as a test. */
const flows: Record<string, () => Promise<unknown>> = {
  async code() {
    const { access_token: token } = await play.signIn({ nonce: 'n-1' })
    await play.userinfo(token)
  },
  async refresh() {
    const { refresh_token: token } = await play.signIn()
    await play.refresh(token)
    await play.refresh(token)
  },
  async 'another verifier'() {
    const code = (await play.answer(await play.toConsent(), 'approve')).get('code') ?? ''
    await play.exchangeCode(code, 'y'.repeat(50))
  },
  async denied() {
    await play.answer(await play.toConsent(), 'deny')
  },
  async 'code that expired'() {
    const code = (await play.answer(await play.toConsent(), 'approve')).get('code') ?? ''
    await call('POST', 'clock', { advance: '1h' })
    await play.exchangeCode(code)
  },
  'refused scope': async () =>
    play.exchangeToken(await emailOf('bob'), { scope: 'read-everything' }),
  'refused redirect URI': () =>
    hub('GET', `/oauth/authorize?${play.request({ redirect_uri: 'http://localhost/x' })}`),
  'hostile app': () =>
    hub('GET', `/oauth/authorize?${play.request({ client_id: hostile, [hostile]: hostile })}`),
  async device() {
    const { userCode, poll } = await play.startDevice()
    await poll()
    await poll()
    await play.answerDevice(userCode)
    await poll()
  },
  async 'denied device'() {
    const { userCode, poll } = await play.startDevice()
    await play.answerDevice(userCode, 'deny')
    await poll()
  },
  exchange: async () => play.exchangeToken(await emailOf('bob')),
  'exchange of a client that encodes everything': async () =>
    play.exchangeToken(await emailOf('bob'), {}, 'sandbox_exchange_secret', encodeEverything),
  'exchange with parameters that are empty': async () =>
    play.exchangeToken(await emailOf('bob'), { actor_token: '', client_secret: '' }),
  async 'organizations asked for one by one'() {
    const { items } = (await call<{ items: { id: string }[] }>('GET', 'organizations')).body
    const query = new URLSearchParams(play.request())
    for (const { id } of items) query.append('orgIds', id)
    for (const resource of ['https://a.example', 'https://b.example']) {
      query.append('resource', resource)
    }
    const { cookie } = await play.toConsent()
    const answered = await hub('POST', `/oauth/authorize?${query}`, {
      headers: { cookie },
      form: { decision: 'approve' },
    })
    const { searchParams } = new URL(String(answered.headers['location']))
    await play.exchangeCode(searchParams.get('code') ?? '')
  },
  'parameter sent twice': () => hub('GET', `/oauth/authorize?${play.request()}&state=again`),
  'refused exchange': () => play.exchangeToken('nobody@example.com'),
  'wrong secret': async () => play.exchangeToken(await emailOf('bob'), {}, 'my_real_secret_1'),
  registration: () =>
    hub('POST', '/oauth/register', {
      json: { client_name: hostile, redirect_uris: ['http://localhost/editor'] },
    }),
  'unknown refresh token': () => play.refresh('hf_oauth_sandbox_refresh_unknown_to_all'),
}

/** Flows that the sandbox approves for its user. */
const autoApproved: Record<string, () => Promise<unknown>> = {
  async 'device that is allowed at once'() {
    const { poll } = await playFlows(approving).startDevice()
    await poll()
  },
  async 'code that was never exchanged'() {
    await approving.hub('GET', `/oauth/authorize?${play.request()}`)
    await approving.call('POST', 'clock', { advance: '1h' })
  },
}

const allFlows = [...Object.keys(flows), ...Object.keys(autoApproved)]

const emailOf = async (name: string) =>
  (await call<{ email: string }>('GET', `users/${name}`)).body.email

const pictureUrl = 'https://pictures.example/alice.png'

const texts = new Map<string, string>()

async function newestAsTest({ call }: ControlWorld): Promise<FlowText> {
  const { items } = (await call<FlowList>('GET', 'flows')).body
  return (await call<FlowText>('GET', `flows/${items[0]?.id}/test`)).body
}

let results: Map<string, Ran>
let changed: Map<string, Ran>
beforeAll(async () => {
  for (const [name, playFlow] of Object.entries(flows)) {
    await call('POST', 'reset')
    // Claims of an account that the fixtures of a test leave out.
    await call('PATCH', 'users/alice', { website: 'https://alice.example', avatar: pictureUrl })
    await playFlow()
    texts.set(name, (await newestAsTest(world)).text)
  }
  for (const [name, playFlow] of Object.entries(autoApproved)) {
    await approving.call('POST', 'reset')
    await playFlow()
    texts.set(name, (await newestAsTest(approving)).text)
  }
  results = await runTests('as-they-were', texts)
  // Every answer of the hub is another, so that no test may pass.
  changed = await runTests(
    'changed',
    texts,
    `await sandbox.faults.add({ match: { route: '/oauth/*' }, status: 418, body: '{}' })`,
  )
}, 300_000)

test.each(allFlows)('%s as a test passes against a sandbox of its own', (name) => {
  expect(results.get(name)?.output.trim()).toBe('')
  expect(results.get(name)?.passed).toBe(true)
})

test.each(allFlows)('%s as a test fails where the hub answers otherwise', (name) => {
  expect(changed.get(name)?.passed).toBe(false)
})

test.each(['code', 'exchange'])(
  '%s as a test compiles as strictly as projects ask',
  (name) => {
    const text = texts.get(name) ?? ''
    expect(compile(text.replace("'hub-sandbox'", "'#/server/index.ts'"))).toEqual([])
  },
  120_000,
)

test('what another scope or claim is, a test notices', async () => {
  const files = new Map([['code', texts.get('code') ?? '']])
  const scope = `await sandbox.faults.add({ match: { route: '/oauth/token' }, set: { scope: 'openid' } })`
  expect((await runTests('scope', files, scope)).get('code')?.passed).toBe(false)
  const user = `await sandbox.control('PATCH', 'users/alice', { fullname: 'Somebody else' })`
  expect((await runTests('claim', files, user)).get('code')?.passed).toBe(false)
}, 120_000)

test('no secret of the sandbox is in a test', async () => {
  const all = [...texts.values()].join('\n')
  for (const secret of ['sandbox_exchange_secret', 'sandbox_first_secret', 'my_real_secret_1']) {
    expect(all).not.toContain(secret)
  }
  expect(all).not.toMatch(/hf_(?!oauth_sandbox_refresh$)\w{8,}|eyJ/)
})
