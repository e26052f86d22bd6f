import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { installCached } from '../helpers/cached-install.ts'
import { installPacked, npm, outputOf, root } from '../helpers/packed.ts'

const tools = ['jest@30.2.0', 'vitest@4.1.12', 'typescript@5.9.3', '@types/node@20.19.43']

let obstacle: string | undefined
let folder: string
/** The `node_modules` with the tools. */
let modules: string

beforeAll(async () => {
  const packed = installPacked()
  ;({ folder, obstacle } = packed)
  const installed = await installCached('npm', tools, async (target) => {
    writeFileSync(join(target, 'package.json'), '{ "private": true }')
    outputOf(npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tools], target))
  })
  obstacle ??= installed.obstacle
  modules = join(installed.folder, 'node_modules')
}, 480_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))

/** Lays files out beside the installed package, in a project of their own kind. */
function project(kind: 'module' | 'commonjs', files: Record<string, string>): string {
  const path = join(folder, 'project')
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path)
  writeFileSync(join(path, 'package.json'), JSON.stringify({ private: true, type: kind }))
  for (const [name, code] of Object.entries(files)) writeFileSync(join(path, name), code)
  return path
}

/** @returns what a program said, with how it ended */
function run(args: readonly string[], cwd: string, environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'test', NO_COLOR: '1', ...environment },
    timeout: 300_000,
  })
  return { status, said: `${stdout}${stderr}` }
}

/** Uses every part of the package as tests do; `test` and `expect` are globals. */
const useAll = `
const hub = useSandbox({ deliveryProfile: 'ci' })
expect.extend(webhookMatchers)
test('signs in', async () => {
  const { access_token } = await hub.sandbox.signIn({ user: 'bob' })
  const answer = await fetch(hub.sandbox.url + '/api/whoami-v2', { headers: { authorization: 'Bearer ' + access_token } })
  expect((await answer.json()).name).toBe('bob')
})
test('refuses by the class that is exported', async () => {
  await expect(hub.sandbox.faults.remove('none')).rejects.toBeInstanceOf(ControlError)
})
test('delivers to a receiver', async () => {
  const webhooks = createWebhooks({ secret: 'abc', autoStart: false, log: { info() {}, warn() {}, error: console.error } })
  webhooks.endpoint('retrain', () => ({ ok: true }))
  const { url, close } = await webhooks.listen({ port: 0 })
  await hub.sandbox.control('POST', 'webhooks', {
    user: 'alice', url: url + '/webhooks/retrain', secret: 'abc', watched: [{ type: 'org', name: 'acme' }],
  })
  await hub.sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
  const delivery = await hub.sandbox.waitForDelivery(({ state }) => state === 'succeeded')
  expect(delivery.attempts[0].status).toBe(200)
  expect(webhooks).toHaveHandled({ scope: 'repo.content' })
  expect((await receive(webhooks, fixture('repo.create'), { endpoint: 'retrain', secret: 'abc' })).status).toBe(200)
  await close()
})
`
const required = `
const { ControlError } = require('hub-sandbox')
const { createWebhooks } = require('hub-sandbox/receiver')
const { fixture, receive, useSandbox, webhookMatchers } = require('hub-sandbox/testing')
${useAll}`
const imported = `
import { ControlError } from 'hub-sandbox'
import { createWebhooks } from 'hub-sandbox/receiver'
import { fixture, receive, useSandbox, webhookMatchers } from 'hub-sandbox/testing'
${useAll}`

/** @param stop what the test runner has its own timers stand still by */
const inStandingTime = (stop: string) => `
const { startSandbox } = require('hub-sandbox')
const { createWebhooks } = require('hub-sandbox/receiver')
const { fixture, receive } = require('hub-sandbox/testing')
test('goes on while the timers of the test stand still', async () => {
  ${stop}
  const sandbox = await startSandbox()
  await sandbox.signIn({ user: 'alice' })
  await sandbox.expectRequest({ path: '/oauth/token', status: 200 }, { timeoutMs: 2000 })
  await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
  await sandbox.idle()
  await expect(sandbox.waitForDelivery(() => false, { timeoutMs: 10 })).rejects.toThrow('within 10 ms')
  const webhooks = createWebhooks({ secret: 'abc', autoStart: false, log: { info() {}, warn() {}, error: console.error } })
  let done = 0
  webhooks.endpoint('retrain', (payload, { defer }) => defer(() => (done += 1)))
  await receive(webhooks, fixture('repo.create'), { endpoint: 'retrain', secret: 'abc' })
  expect(done).toBe(1)
  await sandbox.close()
})`

// Each starts a program that reads the whole server.
describe('a test runner of its users', { timeout: 300_000 }, () => {
  const jest = () => [
    join(modules, 'jest/bin/jest.js'),
    '--ci',
    '--config={"transform":{},"testEnvironment":"node","testRegex":"use\\\\.[cm]?js$"}',
  ]
  const vitest = (path: string) => [
    join(modules, 'vitest/vitest.mjs'),
    'run',
    '--globals',
    '--root',
    path,
  ]

  test('jest requires it', () => {
    const { status, said } = run(jest(), project('commonjs', { 'use.js': required }))
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('3 passed') })
  })

  test('jest imports it', () => {
    const environment = { NODE_OPTIONS: '--experimental-vm-modules' }
    const { status, said } = run(jest(), project('module', { 'use.mjs': imported }), environment)
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('3 passed') })
  })

  test('vitest imports it', () => {
    const path = project('module', { 'use.test.js': imported })
    const { status, said } = run(vitest(path), path)
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('3 passed') })
  })

  test('jest has its timers stand still, and the sandbox goes on', () => {
    const stop = "jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] })"
    const { status, said } = run(jest(), project('commonjs', { 'use.js': inStandingTime(stop) }))
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('1 passed') })
  })

  test('vitest has its timers stand still, and the sandbox goes on', () => {
    const code = `import { createRequire } from 'node:module'
      const require = createRequire(import.meta.url)
      ${inStandingTime('vi.useFakeTimers()')}`
    const path = project('module', { 'use.test.js': code })
    const { status, said } = run(vitest(path), path)
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('1 passed') })
  })
})

describe('a program of its users', { timeout: 300_000 }, () => {
  test('has one copy of what starts sandboxes, however its files take it', () => {
    const path = project('module', {
      'use.mjs': `
        import { createRequire } from 'node:module'
        import * as imported from 'hub-sandbox'
        import { useSandbox } from 'hub-sandbox/testing'
        const require = createRequire(import.meta.url)
        const same = Object.entries(require('hub-sandbox')).map(([name, value]) => [name, imported[name] === value])
        console.log(JSON.stringify([same, require('hub-sandbox/testing').useSandbox === useSandbox]))`,
    })
    const { said } = run(['use.mjs'], path)
    expect(JSON.parse(said)).toEqual([
      expect.arrayContaining([
        ['ControlError', true],
        ['startSandbox', true],
      ]),
      true,
    ])
    expect(said).not.toContain('false')
  })

  test.each(['import', 'require'])('shares nothing between receivers, by %s', (way) => {
    const take =
      way === 'import'
        ? `const { createWebhooks } = await import('hub-sandbox/receiver')`
        : `const { createWebhooks } = require('hub-sandbox/receiver')`
    const code = `(async () => {
      ${take}
      const log = { info() {}, warn() {}, error() {} }
      const [one, two] = [0, 1].map(() => createWebhooks({ secret: 'a', log, autoStart: false }))
      one.endpoint('x', () => 1)
      two.endpoint('x', () => 2)
      const answers = [one, two].map((webhooks) => webhooks.fetch(new Request('http://h/webhooks/x', { method: 'POST' })))
      console.log((await Promise.all(answers)).map(({ status }) => status).join(), one.receptions.length)
    })()`
    const { said } = run(['use.cjs'], project('module', { 'use.cjs': code }))
    expect(said.trim()).toBe('401,401 1')
  })
})

/** Takes something of every entry, and has a mistake that only known types show. */
const typed = `
import { startSandbox, type Sandbox } from 'hub-sandbox'
import { createWebhooks, isEvent, type WebhookPayload } from 'hub-sandbox/receiver'
import { fixture, useSandbox } from 'hub-sandbox/testing'
import { expect, test } from 'hub-sandbox/playwright'
export const start = (): Promise<Sandbox> => startSandbox({ seed: 1 })
export const hub = useSandbox()
export const title: string = fixture('discussion.create').discussion.title
createWebhooks({ secret: 'a' }).endpoint('retrain', (payload: WebhookPayload) => {
  if (isEvent(payload, 'repo.content')) console.log(payload.updatedRefs?.length)
})
test('signs in', async ({ page, sandbox, signInAs }) => {
  await signInAs('alice')
  await page.goto(sandbox.url)
  await expect(page).toHaveURL(/_sandbox/)
})
// @ts-expect-error a port is a number
void startSandbox({ port: 'any' })
`

const compilers = {
  'TypeScript 5': () => join(modules, 'typescript/lib/tsc.js'),
  'TypeScript 7': () => join(root, 'node_modules/typescript/bin/tsc'),
}

/** How a project is checked: by TypeScript 5, which takes its time, without the libraries of others. */
const checks = {
  'TypeScript 5': (path: string) => [
    join(root, 'test/helpers/check-own.mjs'),
    join(modules, 'typescript'),
    path,
  ],
  'TypeScript 7': (path: string) => [compilers['TypeScript 7'](), '-p', path, '--pretty', 'false'],
}

/** A file of each kind in one project, where the compiler tells them apart by their names. */
const either = ['use.mts', 'use.cts']
const ways = [
  ['TypeScript 5', 'node10', ['use.ts'], { module: 'commonjs', moduleResolution: 'node10' }],
  ['TypeScript 5', 'node16', either, { module: 'node16' }],
  ['TypeScript 5', 'nodenext', either, { module: 'nodenext' }],
  ['TypeScript 5', 'bundler', ['use.ts'], { module: 'esnext', moduleResolution: 'bundler' }],
  ['TypeScript 7', 'node16', either, { module: 'node16' }],
  ['TypeScript 7', 'nodenext', either, { module: 'nodenext' }],
  ['TypeScript 7', 'bundler', ['use.ts'], { module: 'esnext', moduleResolution: 'bundler' }],
] as const

describe('the types of every entry', { timeout: 300_000 }, () => {
  beforeAll(() => {
    if (obstacle !== undefined) return
    // Playwright is its user's own.
    const link = join(folder, 'node_modules/@playwright')
    symlinkSync(join(root, 'node_modules/@playwright'), link, 'junction')
  })

  test.each(ways)('%s finds them by %s in %j', (compiler, _resolution, names, options) => {
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      // The libraries of the language are no business of ours, and the largest part of the work.
      skipDefaultLibCheck: true,
      types: ['node'],
      typeRoots: [join(modules, '@types')],
      ...options,
    }
    const path = project(options.module === 'commonjs' ? 'commonjs' : 'module', {
      ...Object.fromEntries(names.map((name) => [name, typed])),
      'tsconfig.json': JSON.stringify({ compilerOptions, files: names }),
    })
    const { said } = run(checks[compiler](path), path)
    // Libraries are checked as well; those of others are not written for every set of options.
    const errors = said
      .split('\n')
      .filter((line) => /^use\.[cm]?ts|node_modules\/hub-sandbox\//.test(line))
    expect(errors).toEqual([])
  })

  test.each(Object.entries(compilers))(
    '%s needs neither the types of Node nor a newer library for a sandbox',
    (_name, compiler) => {
      const path = project('module', {
        'use.ts': `
          import { connectSandbox, startSandbox } from 'hub-sandbox'
          export async function use(): Promise<void> {
            await (await startSandbox())[Symbol.asyncDispose]()
            await (await connectSandbox()).close()
          }`,
        'tsconfig.json': JSON.stringify({
          compilerOptions: {
            target: 'es2022',
            lib: ['es2022'],
            module: 'nodenext',
            types: [],
            strict: true,
            noEmit: true,
          },
          files: ['use.ts'],
        }),
      })
      const { status, said } = run([compiler(), '-p', path, '--pretty', 'false'], path)
      expect({ status, said }).toEqual({ status: 0, said: '' })
    },
  )

  test('refuse what is wrong', () => {
    const wrong = typed.replace('// @ts-expect-error a port is a number', '')
    const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true }
    const path = project('commonjs', {
      'use.ts': wrong,
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['use.ts'] }),
    })
    const { said } = run([compilers['TypeScript 7'](), '-p', path, '--pretty', 'false'], path)
    expect(said).toContain("Type 'string' is not assignable to type 'number'")
  })
})
